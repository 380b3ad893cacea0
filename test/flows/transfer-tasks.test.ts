/** Tasks that are exported and imported into an empty store are the same tasks there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inboxStatuses, taskPriorities, taskStatuses } from '../../src/records/task-values.ts'
import type { GetTaskOutput, ListTasksOutput } from '../../src/tasks/schema.ts'
import { type Caller, folderOfTest, runJson } from '../cli/run.ts'
import { applied, call } from '../support/http.ts'
import { newStore, type Store } from '../support/profile.ts'
import { newDataDir, removeData, type Started, startService } from '../support/service.ts'

const team = '11111111-1111-7111-8111-111111111111'
const visibilities = [{ scope: 'workspace' }, { scope: 'private' }, { scope: 'team', team_id: team }] as const
/** Text that JSON, CSV and terminals could break. */
const text = fc.constantFrom(
  'plain',
  'a; "b",\tc',
  'line\n# two',
  '✅ ünïcode 𝒳',
  '=1+1',
  '[x]',
  '{"a":1}',
  '\u001b[31m',
  'me ',
)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const task = fc.record({
  name: text,
  description: maybe(text),
  status: maybe(fc.constantFrom(...taskStatuses)),
  priority: maybe(fc.constantFrom(...taskPriorities)),
  assignees: maybe(fc.uniqueArray(fc.constantFrom('ada', 'bob', 'a;b'))),
  project: maybe(text),
  labels: maybe(fc.uniqueArray(text, { maxLength: 3 })),
  start_at: maybe(fc.constantFrom('2027-01-01T00:00:00.000Z', '2026-02-03T04:05:06.789Z')),
  due_at: maybe(fc.constantFrom('2027-01-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z')),
  repo_full_name: maybe(fc.constantFrom('acme/fence')),
  inbox_status: maybe(fc.constantFrom(...inboxStatuses)),
  execution: maybe(fc.constantFrom({ mode: 'none', executor: 'coder' }, { mode: 'none', instructions: 'With care.' })),
  visibility: fc.constantFrom(...visibilities),
  /** One external id may be used once for each visibility. */
  external_id: maybe(fc.constantFrom('T-1', 'T-2')),
  parent: maybe(fc.nat()),
  decisions: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
})
const stores: Store[] = []
const services: Started[] = []
let here: Caller
let there: Caller

beforeAll(async () => {
  for (const _ of [1, 2]) {
    const store = await newStore()
    stores.push(store)
    services.push(await startService({ dataDir: newDataDir(), env: store.env }))
  }
  ;[here, there] = (await Promise.all(services.map(keyOf))) as [Caller, Caller]
})
afterAll(async () => {
  for (const service of services) {
    await service.stop()
    await removeData(service.dataDir)
  }
  for (const store of stores) await store.drop()
})

it('an import of exported tasks into an empty store makes the same tasks, whatever the order of the lines', async () => {
  const decisions = await makeDecisions()
  const given = fc.array(task, { minLength: 25, maxLength: 25 })
  const property = fc.asyncProperty(given, async (some) => {
    await makeTasks(some, decisions)
    await expectTransfer()
  })
  // a second run would find stores that are not empty
  await fc.assert(property, { numRuns: 1, endOnFailure: true })
})

async function expectTransfer(): Promise<void> {
  const out = join(here.state, 'all.jsonl')
  expect(await runJson(here, 'export', '--out', out)).toMatchObject({ code: 0, body: { tasks_left_out: 0 } })
  const lines = readFileSync(out, 'utf8').trim().split('\n')
  // subtasks before their parents, tasks before their decisions
  const reversed = join(here.state, 'reversed.jsonl')
  writeFileSync(reversed, lines.toReversed().join('\n'))
  expect(await runJson(there, 'import', reversed)).toMatchObject({ code: 0, body: { refused: [] } })
  const [exported, imported] = [await tasksOf(here), await tasksOf(there)]
  expect(await comparable(there, imported)).toEqual(await comparable(here, exported))
  // one write each
  expect(imported.map(({ revision }) => revision)).toEqual(imported.map(() => 1))

  // neither store changes if it gets the same tasks again
  for (const [store, before] of [
    [there, imported],
    [here, exported],
  ] as const) {
    const again = await runJson(store, 'import', out)
    expect(again).toMatchObject({ code: 0, body: { imported: 0, unchanged: lines.length, refused: [] } })
    expect(await tasksOf(store)).toEqual(before)
  }
}

async function keyOf(service: Started): Promise<Caller> {
  const scopes = ['context:read', 'context:write', 'tasks:read', 'tasks:write']
  const body = { name: 'ada', user: 'ada', teams: [team], scopes }
  const { body: made } = await call<{ key: string }>(service, 'POST', '/admin/keys', body)
  return { url: service.url, key: made.key, state: folderOfTest() }
}

/** With and without external ids; one of them begins in the future. */
async function makeDecisions(): Promise<string[]> {
  const given = [
    {},
    { external_id: 'adr/1' },
    { external_id: 'adr/2', decided_at: '2040-01-01T00:00:00Z' },
    { status: 'proposed' },
  ]
  const made = await Promise.all(
    given.map((more, at) => {
      const visibility = { scope: 'workspace' }
      const body = { title: `Decision ${at}`, judgment: `We do ${at}.`, visibility, ...more }
      return applied(here, '/v1/decisions', `decision-${at}`, body)
    }),
  )
  return made.map(({ entity }) => entity?.id as string)
}

/** Parents may be made after their subtasks. A task that contradicts itself is left out. */
async function makeTasks(
  given: readonly (typeof task extends fc.Arbitrary<infer T> ? T : never)[],
  decisions: string[],
) {
  const ids: string[] = []
  for (const [at, { parent: _, decisions: named, name, ...fields }] of given.entries()) {
    const body = { ...fields, name: `${name} ${at}`, decision_ids: named.map((one) => decisions[one]) }
    const { status, body: receipt } = await call<{ entity?: { id: string } }>(here, 'POST', '/api/v2/tasks', body, {
      prefer: 'wait=30',
    })
    expect([200, 400]).toContain(status)
    if (receipt.entity) ids.push(receipt.entity.id)
  }
  expect(ids.length).toBeGreaterThan(10)
  for (const [at, { parent }] of given.entries()) {
    if (parent === undefined || ids[at] === undefined) continue
    const body = { parent_id: ids[parent % ids.length] }
    await call(here, 'PATCH', `/api/v2/tasks/${ids[at]}`, body, { prefer: 'wait=30' })
  }
}

async function tasksOf(caller: Caller): Promise<GetTaskOutput[]> {
  const { body } = await call<ListTasksOutput>(caller, 'GET', '/api/v2/tasks?limit=200')
  return Promise.all(
    body.items.map(
      async ({ id }) => (await call<GetTaskOutput>(caller, 'GET', `/api/v2/tasks/${id}?enrichment=none`)).body,
    ),
  )
}

/** Names the parent and decisions by what is the same in both stores. */
async function comparable(on: Caller, all: readonly GetTaskOutput[]): Promise<string[]> {
  const ids = [...new Set(all.flatMap(({ decision_ids }) => decision_ids))]
  const titles = new Map<string, string>()
  for (const id of ids) titles.set(id, (await call<{ title: string }>(on, 'GET', `/v1/decisions/${id}`)).body.title)
  return all
    .map(({ id, url, revision, created_at, updated_at, activity, comments, subtasks, ...fields }) => {
      const { external_id = `precedent:${id}`, parent_id, decision_ids, ...rest } = fields
      const parent = all.find((other) => other.id === parent_id)?.name
      const decisions = decision_ids.map((one) => titles.get(one))
      return JSON.stringify({ ...rest, external_id, parent, decisions, subtasks: subtasks.count })
    })
    .sort()
}
