import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJson } from '../cli/run.ts'
import { call, syncAll } from '../support/http.ts'
import { connect, tool } from '../support/mcp.ts'
import { dataOf, repository } from '../support/repository.ts'
import { adminKey, removeData, type Started, startService } from '../support/service.ts'
import { skipIf } from '../support/skip.ts'

const { folder: folders, missing } = dataOf('adr')
const facts = join(repository, 'test/import/facts')

interface Fact {
  path: string
  decision: boolean
  status?: string
  supersedes?: string[]
  superseded_by?: string[]
  /** Superseded in part: the rest holds. */
  partial?: boolean
}

interface Item {
  id: string
  title: string
  external_id?: string
  status?: string
  superseded_by_decision_id?: string
}

describe('import, search and supersession of real decisions', skipIf(missing), () => {
  let service: Started
  const names = missing === undefined ? readdirSync(folders) : []
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(async () => {
    await service.stop()
    await removeData(service.dataDir)
  })

  it('nine folders of decisions are imported, and a second import changes nothing', { timeout: 300_000 }, async () => {
    for (const name of names) {
      const first = await runJson(importer(), 'import', join(folders, name), '--source', name)
      expect(first.code, JSON.stringify(first.body)).toBe(0)
    }
    const before = (await syncAll(caller())).length
    const again = await runJson(importer(), 'import', join(folders, names[0] as string), '--source', names[0] as string)
    expect(again.code, JSON.stringify(again.body)).toBe(0)
    expect((await syncAll(caller())).length).toBe(before)
  })

  it('the store has exactly the decisions and supersessions that a person read in the folders', async () => {
    const byExternalId = new Map<string, Item>()
    const ids = (await syncAll(caller())).map((change) => change.id)
    for (let at = 0; at < ids.length; at += 50) {
      const { body } = await call<{ items: Item[] }>(caller(), 'POST', '/v1/decisions/search', {
        ids: ids.slice(at, at + 50),
      })
      for (const item of body.items) byExternalId.set(item.external_id as string, item)
    }
    const wrong: string[] = []
    let decisions = 0
    for (const name of names) {
      for (const fact of factsOf(name)) {
        const item = byExternalId.get(`${name}/${fact.path}`)
        if (fact.decision !== (item !== undefined)) wrong.push(`${name}/${fact.path}: decision is ${fact.decision}`)
        if (!fact.decision || !item) continue
        decisions += 1
        const successors = successorsOf(name, fact).map((path) => byExternalId.get(`${name}/${path}`))
        if (!isRight(item, successors)) {
          const said = successors.map((one) => one?.external_id)
          wrong.push(`${name}/${fact.path}: superseded by ${item.superseded_by_decision_id}, the facts say ${said}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(byExternalId.size).toBe(decisions)
  })

  it('search finds imported decisions by their titles', async () => {
    const ids = (await syncAll(caller())).map((change) => change.id)
    const sample = ids.filter((_, at) => at % 9 === 0)
    let found = 0
    for (const id of sample) {
      const { body } = await call<{ items: Item[] }>(caller(), 'POST', '/v1/decisions/search', { ids: [id] })
      const item = body.items[0] as Item
      if (item.superseded_by_decision_id) continue
      const search = await call<{ items: Item[] }>(caller(), 'POST', '/v1/decisions/search', {
        q: item.title,
        threshold: 0,
        limit: 10,
      })
      if (search.body.items.some((one) => one.id === id)) found += 1
      else console.log(`not among the first ten for its own title: ${item.external_id}`)
    }
    expect(found / sample.length).toBeGreaterThan(0.85)
  })

  it('an agent over MCP replaces one decision and judges another, and a second agent sees it', async () => {
    const [ann, bob] = [await connect(caller()), await connect(caller(), '2025-11-25')]
    let { cursor, has_more } = (await tool(bob, 'get_changes', { limit: 200 })).structured
    while (has_more) ({ cursor, has_more } = (await tool(bob, 'get_changes', { limit: 200, cursor })).structured)

    const told = await tool(ann, 'get_brief', { query: 'which library do we use for caching?' })
    expect(told.text).toContain('Adopt FusionCache')
    const search = { q: 'which cache library do we adopt?', in_force: true }
    const cache = (await tool(ann, 'search_decisions', search)).structured.items[0]
    expect(cache.title).toBe('Adopt FusionCache')
    const decision = { title: 'Use HybridCache', judgment: 'New services cache with HybridCache.', decided_by: ['Ann'] }
    const reason = 'HybridCache became a part of the framework.'
    const newer = (await tool(ann, 'supersede_decision', { id: cache.id, decision, reason })).structured.entity.id

    const mongo = (await tool(ann, 'search_decisions', { q: 'replace MongoDB by DocumentDB' })).structured.items[0]
    expect(mongo.title).toBe('Mongo Replacement by DocumentDB')
    const outcome_notes = 'Transactions behave differently: two migrations were rolled back.'
    await tool(ann, 'record_outcome', { id: mongo.id, outcome_status: 'failure', outcome_notes })
    const after = await tool(ann, 'get_brief', { query: 'move MongoDB to DocumentDB' })
    expect(after.text).toContain(outcome_notes)
    const open: { reason: string; question_id: string }[] = after.structured.open_questions
    const question_id = open.find((one) => one.reason === 'loss_ledger_gap')?.question_id
    const note = 'Compare transactions before a migration.'
    const answer = await tool(ann, 'resolve_question', { question_id, resolution: 'answer', note })
    const closed = await tool(ann, 'get_brief', { query: 'move MongoDB to DocumentDB' })
    expect(closed.structured.open_questions.map((one: { question_id: string }) => one.question_id)).not.toContain(
      question_id,
    )

    const graph = await tool(ann, 'get_decision_graph', { root: cache.id })
    expect(graph.structured.edges).toMatchObject([{ from: newer, to: cache.id, type: 'supersedes', reason }])

    const { knowledge, decisions } = (await tool(bob, 'get_changes', { cursor })).structured.changes
    expect(knowledge).toMatchObject([{ id: answer.structured.entity.id, title: note }])
    const changed = new Map(decisions.map((one: Item & { change_type: string }) => [one.id, one.change_type]))
    expect(changed).toEqual(
      new Map([
        [newer, 'upsert'],
        [cache.id, 'superseded'],
        [mongo.id, 'upsert'],
      ]),
    )
  })

  const caller = () => ({ url: service.url, key: adminKey })
  const importer = () => ({ ...caller(), state: service.dataDir })
})

function factsOf(name: string): Fact[] {
  return (JSON.parse(readFileSync(join(facts, `${name.replace('+', '__')}.facts.json`), 'utf8')) as { files: Fact[] })
    .files
}

/** A proposal supersedes nothing yet. A decision that names only a proposal as its successor is deprecated. */
function isRight(item: Item, successors: readonly (Item | undefined)[]): boolean {
  const found = item.superseded_by_decision_id
  const effective = successors.filter((one) => one?.status === 'accepted' || one?.status === 'deprecated')
  if (effective.length > 0) return effective.some((one) => one?.id === found)
  return found === undefined && (successors.length === 0 || item.status === 'deprecated')
}

/** The successors that any file of the folder states, the older or the newer one. */
function successorsOf(name: string, fact: Fact): string[] {
  if (fact.partial) return []
  const named = factsOf(name)
    .filter((other) => other.supersedes?.includes(fact.path))
    .map((other) => other.path)
  return [...new Set([...(fact.superseded_by ?? []), ...named])]
}
