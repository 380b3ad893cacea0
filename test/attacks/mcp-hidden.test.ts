/** Hidden records influence nothing that a tool, a resource or a prompt tells. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, type Serving, send, serve } from '../http/serving.ts'
import { applied, decided, type Person, remembered } from '../questions/resolving.ts'
import { noted } from '../support/recorded-queries.ts'
import { agent, alike, frame, modern, post, result } from './mcp-frames.ts'

const own = { visibility: { scope: 'private' } }
const missing = '00000000-0000-7000-8000-00000000dead'

const store = noted()
let serving: Serving
let ann: Person
let bob: Person
beforeAll(async () => {
  serving = await serve({ around: store.around })
  ann = await agent(serving, 'ann')
  bob = await agent(serving, 'bob')
})
afterAll(() => serving.stop())

describe('hidden records', () => {
  let memory: string
  let decision: string
  let task: string
  let receipt: string
  let question: string
  beforeAll(async () => {
    const input = { name: 'Book the harbour choir', description: 'For Fridays.', status: 'in_progress', ...own }
    task = (await applied(bob, '/api/v2/tasks', input)).entity.id
    memory = await remembered(bob, 'I think that Bob sings in the harbour choir.', own)
    decision = await decided(bob, 'Sing in the harbour choir', 'Sing on Fridays.', own)
    const { body } = await send(serving.url, 'GET', '/v1/receipts?limit=1', { key: bob.key })
    receipt = body.items[0].receipt_id
    const brief = await send(serving.url, 'GET', '/v1/context/brief', { key: bob.key })
    question = brief.body.open_questions[0].question_id
  })

  /** The answer for one id is that for the other, word for word, and costs the store the same queries. */
  async function expectAlike(ask: (id: string) => Promise<unknown>, hidden: string, none: string): Promise<void> {
    const masked = async (id: string) =>
      JSON.parse(JSON.stringify(alike(await ask(id))).replaceAll(id, 'the-id')) as unknown
    expect(await masked(hidden)).toEqual(await masked(none))
    expect(await store.during(() => ask(hidden))).toEqual(await store.during(() => ask(none)))
  }

  it.each([
    ['a memory', () => memory, missing],
    ['a decision', () => decision, missing],
    ['a task', () => task, missing],
    ['a receipt', () => receipt, missing],
    ['a question', () => question, `fact:${missing}`],
  ])('get_record and fetch tell %s of others like a missing one', async (_, id, none) => {
    await expectAlike((one) => result(ann, 'get_record', { id: one }), id(), none)
    await expectAlike((one) => result(ann, 'fetch', { id: one }, '?tools=chat'), id(), none)
    const url = (one: string) => ({ id: `https://precedent.test/p/v1/decisions/${encodeURIComponent(one)}` })
    await expectAlike((one) => result(ann, 'get_record', url(one)), id(), none)
  })

  it('resources/read tells records of others like missing ones, in both versions of the protocol', async () => {
    for (const [kind, id] of [
      ['memories', memory],
      ['decisions', decision],
      ['memories', decision],
      ['memories', task],
      ['tasks', task],
      ['tasks', memory],
    ] as const) {
      const uri = (one: string) => ({ uri: `precedent://${kind}/${one}` })
      const asked = async (one: string) => (await post(ann, frame('resources/read', uri(one)))).body
      await expectAlike(asked, id, missing)
      const of2026 = async (one: string) => {
        const { body, headers } = modern('resources/read', uri(one))
        return (await post(ann, body, headers)).body
      }
      await expectAlike(of2026, id, missing)
      expect((await asked(id)).error).toMatchObject({ code: -32602, message: expect.stringContaining('not found') })
    }
  })

  it('get_decision_graph and the tools that write tell decisions of others like missing ones', async () => {
    await expectAlike((root) => result(ann, 'get_decision_graph', { root }), decision, missing)
    await expectAlike((id) => result(ann, 'record_outcome', { id, outcome_status: 'success' }), decision, missing)
    const mine = await decided(ann, 'Row in the harbour', 'Row on Mondays.')
    const by = (id: string) => result(ann, 'supersede_decision', { id: mine, superseded_by: id })
    await expectAlike(by, decision, missing)
    const correction = { kind: 'correction', content: 'No choir.', ...own }
    await expectAlike((id) => result(ann, 'remember', { ...correction, corrects_memory_id: id }), memory, missing)
    const answer = { resolution: 'dismiss', note: 'No.' }
    await expectAlike(
      (id) => result(ann, 'resolve_question', { question_id: id, ...answer }),
      question,
      `fact:${missing}`,
    )
  })

  it('the tools of tasks tell tasks and decisions of others like missing ones', async () => {
    const mine = (await result(ann, 'create_task', { name: 'Row' })).structuredContent.entity.id
    await expectAlike((id) => result(ann, 'get_task', { id }), task, missing)
    await expectAlike((id) => result(ann, 'update_task', { id, status: 'done' }), task, missing)
    await expectAlike((id) => result(ann, 'comment_on_task', { id, body: 'Hello.' }), task, missing)
    await expectAlike((id) => result(ann, 'update_task', { id: mine, parent_id: id }), task, missing)
    await expectAlike((id) => result(ann, 'update_task', { id: mine, decision_ids: [id] }), decision, missing)
    await expectAlike((id) => result(ann, 'create_task', { name: 'Sail', parent_id: id }), task, missing)
  })

  it('no list, brief or count tells of them', async () => {
    const alone = await serve()
    try {
      const only = await agent(alone, 'ann')
      await decided(only, 'Row in the harbour', 'Row on Mondays.')
      const asks: [string, object, string][] = [
        ['search_context', { q: 'harbour choir' }, ''],
        ['search_decisions', { q: 'harbour choir' }, ''],
        ['search_decisions', { ids: [decision] }, ''],
        ['get_changes', {}, ''],
        ['get_brief', { query: 'harbour choir' }, ''],
        ['list_tasks', { q: 'harbour choir' }, ''],
        ['list_tasks', { status: ['in_progress'] }, ''],
        ['search', { query: 'harbour choir' }, '?tools=chat'],
      ]
      for (const [name, args, query] of asks) {
        const [there, here] = [await result(ann, name, args, query), await result(only, name, args, query)]
        expect(JSON.stringify(there), name).not.toMatch(/choir.*Fridays|Bob sings|Book/)
        expect(JSON.stringify(there), name).not.toContain(task)
        expect(JSON.stringify(there), name).not.toContain(decision)
        const counts = ({ structuredContent: of }: Body) =>
          [of.items ?? of.results ?? of.open_questions ?? of.changes.knowledge].map((list: Body[]) => list.length)
        expect(counts(there), name).toEqual(counts(here))
      }
    } finally {
      await alone.stop()
    }
  })
})
