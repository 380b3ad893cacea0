/** Supersessions that have not taken effect must survive an export and an import, and take effect at the same instant. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchOutput } from '../../src/context/schema.ts'
import type { GraphOutput } from '../../src/decisions/graph.ts'
import { applied, type Caller, call } from '../support/http.ts'
import { removeData, type Started, startService } from '../support/service.ts'
import { folderOfTest, run, runJson } from './run.ts'

const on = (day: string) => `${day}T00:00:00.000Z`

describe('an import of an exported file', () => {
  let first: Started
  let second: Started
  const folder = folderOfTest()
  const file = join(folder, 'all.jsonl')
  const asCaller = ({ url, key }: Caller) => ({ url, key, state: folderOfTest() })

  beforeAll(async () => {
    ;[first, second] = await Promise.all([startService(), startService()])
    await fill(first)
    expect((await run(asCaller(first), 'export', '--out', file)).code).toBe(0)
    const imported = await runJson(asCaller(second), 'import', file)
    expect(imported, JSON.stringify(imported.body)).toMatchObject({ code: 0, body: { refused: [] } })
  })
  afterAll(async () => {
    for (const service of [first, second]) {
      await service.stop()
      await removeData(service.dataDir)
    }
  })

  it.each(['Rules', 'Chain 1', 'Dune', 'Late', 'Hull', 'Line', 'Two 1'])(
    'keeps all links of “%s”, also those that have not taken effect, with instants and reasons',
    async (title) => {
      const here = await edgesAround(first, title)
      expect(here.length).toBeGreaterThan(0)
      expect(await edgesAround(second, title)).toEqual(here)
    },
  )

  it('lets each supersession take effect at the same instant', async () => {
    const days = ['2020-06-01', '2021-06-01', '2022-06-01', '2026-01-01']
    const ahead = ['2090-02-01', '2090-04-01', '2090-07-01', '2091-02-01']
    for (const day of [...days, ...ahead]) {
      const [here, there] = await Promise.all([first, second].map((service) => inForceAt(service, on(day))))
      expect(there, day).toEqual(here)
    }
    const then = await inForceAt(second, on('2090-02-01'))
    expect(then).toEqual(expect.arrayContaining(['Optimiser', 'Chain 2', 'Late', 'The office is in Bergen.']))
    for (const title of ['Rules', 'Chain 1', 'The office is in Oslo.']) expect(then).not.toContain(title)
    expect(await inForceAt(second, on('2090-04-01'))).not.toContain('Late')
    const last = await inForceAt(second, on('2091-02-01'))
    expect(last).toContain('Chain 3')
    expect(last).not.toContain('Chain 2')
  })

  it('changes nothing the second time, in either store', async () => {
    for (const service of [first, second]) {
      const before = (await run(asCaller(service), 'export')).stdout
      for (const [name, text] of [['first', readFileSync(file, 'utf8')] as const, ['own', before] as const]) {
        const again = join(folder, `${name}.jsonl`)
        writeFileSync(again, text)
        const { code, body } = await runJson(asCaller(service), 'import', again)
        expect(code, JSON.stringify(body)).toBe(0)
        expect(body, name).toMatchObject({ imported: 0, refused: [] })
      }
      expect((await run(asCaller(service), 'export')).stdout).toBe(before)
    }
  })

  it('lets a proposal supersede what it was to supersede once it is confirmed', async () => {
    expect(await inForceAt(second, new Date().toISOString())).toEqual(expect.arrayContaining(['Dune', 'Hull', 'Keel']))
    for (const title of ['Beach', 'Hull']) {
      const question_id = `judgment:${await idOf(second, title)}`
      await applied(second, '/v1/context/resolve', `confirm-${title}`, { question_id, resolution: 'confirm' })
    }
    const now = await inForceAt(second, new Date(Date.now() + 60_000).toISOString())
    expect(now).toEqual(expect.arrayContaining(['Beach', 'Hull']))
    expect(now).not.toContain('Dune')
    expect(now).not.toContain('Keel')
  })
})

async function fill(caller: Caller): Promise<void> {
  const decide = async (title: string, body: object) => {
    const text = { title, judgment: `We decided on ${title}.`, ...body }
    const { entity, error } = await applied(
      caller,
      '/v1/decisions',
      `${title} ${JSON.stringify(body)}`.slice(0, 150),
      text,
    )
    if (!entity) throw new Error(`${title}: ${error?.message}`)
    return entity.id
  }
  const rules = await decide('Rules', { decided_at: on('2020-02-20') })
  await supersede(rules, {
    decision: { title: 'Optimiser', judgment: 'Solve it.', decided_at: on('2090-01-01') },
    reason: 'Load',
  })
  const one = await decide('Chain 1', { decided_at: on('2020-02-20') })
  const two = await decide('Chain 2', { decided_at: on('2090-01-01'), supersedes: [one] })
  await decide('Chain 3', { decided_at: on('2091-01-01'), supersedes: [two], supersession_reason: 'Wear' })
  const dune = await decide('Dune', { decided_at: on('2020-02-20') })
  const beach = { decided_at: on('2021-02-20'), supersedes: [dune], supersession_reason: 'Sand', status: 'proposed' }
  await decide('Beach', beach)

  // the first revision determines the day, although only the second one is shown
  const late = await decide('Late', { decided_at: on('2020-02-20') })
  const later = { external_id: 'ada/later' }
  await decide('Later', { ...later, decided_at: on('2090-03-01'), supersedes: [late], supersession_reason: 'Tide' })
  await decide('Later', { ...later, decided_at: on('2090-06-01') })

  // the proposed revision is not shown, and would supersede one more decision
  const mast = await decide('Mast', { decided_at: on('2020-02-20') })
  await decide('Keel', { decided_at: on('2020-02-20'), external_id: 'ada/keel' })
  const hull = { external_id: 'ada/hull', decided_at: on('2021-02-20') }
  await decide('Hull', { ...hull, supersedes: [mast] })
  await decide('Hull', { ...hull, judgment: 'Steel.', supersedes: ['ada/keel'], status: 'proposed' })

  const line = await decide('Line', { decided_at: on('2020-02-20') })
  const rope = { external_id: 'ada/rope', supersedes: [line] }
  await decide('Rope', { ...rope, decided_at: on('2021-02-20') })
  await decide('Rope', { ...rope, decided_at: on('2022-02-20'), judgment: 'Of hemp.' })

  const [first, second] = [
    await decide('Two 1', { decided_at: on('2020-02-20') }),
    await decide('Two 2', { decided_at: on('2021-02-20') }),
  ]
  await supersede(first, { superseded_by: second, reason: 'Said afterwards' })

  const office = { kind: 'fact', content: 'The office is in Oslo.', occurred_at: on('2020-02-20') }
  const { entity } = await applied(caller, '/v1/context/memories', 'office-one', office)
  await applied(caller, '/v1/context/memories', 'office-two', {
    ...{ kind: 'correction', content: 'The office is in Bergen.', occurred_at: on('2090-01-01') },
    corrects_memory_id: entity?.id,
  })

  async function supersede(id: string, body: object): Promise<void> {
    const { error } = await applied(
      caller,
      `/v1/decisions/${id}/supersede`.replace('/v1', '/api/v2'),
      `supersede ${id}`,
      body,
    )
    if (error) throw new Error(error.message)
  }
}

/** Titles, because the stores have other ids. */
async function inForceAt(caller: Caller, as_of: string): Promise<string[]> {
  const body = { as_of, limit: 50 }
  const { body: found } = await call<SearchOutput>(caller, 'POST', '/v1/context/search', body)
  return found.items.map(({ title = '' }) => title).sort()
}

async function edgesAround(caller: Caller, title: string) {
  const { body } = await call<GraphOutput>(caller, 'GET', `/api/v2/decisions/graph?root=${await idOf(caller, title)}`)
  const titles = new Map(body.nodes.map((node) => [node.id, node.title]))
  return body.edges
    .map(({ from, to, ...edge }) => ({ from: titles.get(from), to: titles.get(to), ...edge }))
    .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
}

async function idOf(caller: Caller, title: string): Promise<string> {
  const { body } = await call<{ changes: { decisions: { id: string; title: string }[] } }>(
    ...([caller, 'POST', '/v1/context/sync', { limit: 200 }] as const),
  )
  const found = body.changes.decisions.find((change) => change.title.replace(/ \(\w+\)$/, '') === title)
  if (!found) throw new Error(`there is no decision ${title}`)
  return found.id
}
