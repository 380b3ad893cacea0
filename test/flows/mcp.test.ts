/** MCP through HTTP with the client of the official SDK: what each tool tells and does, in both versions of the protocol. */
import type { Client } from '@modelcontextprotocol/client'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { instructions } from '../../src/mcp/instructions.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { runners } from '../../src/runs/stored/runner.ts'
import { publicUrl, type Serving, send, serve } from '../http/serving.ts'
import { connect, eras, tool } from '../support/mcp.ts'

let serving: Serving
let store: Documents
beforeAll(async () => {
  serving = await serve({
    around: (documents) => {
      store = documents
      return documents
    },
  })
  // as a run worker does. There is no policy, so that its runs await approval
  const executors = [{ name: 'coder', plans: false, repeatable: false, capacity: 1 }]
  await store.insert(runners, { id: 'worker-1', seen_at: new Date().toISOString(), executors })
})
afterAll(() => serving.stop())

const all = [
  'get_brief',
  'search_context',
  'search_decisions',
  'get_record',
  'get_changes',
  'get_decision_graph',
  'remember',
  'resolve_question',
  'record_decision',
  'record_outcome',
  'supersede_decision',
  'list_tasks',
  'get_task',
  'create_task',
  'update_task',
  'comment_on_task',
  'run_task',
  'get_run',
  'approve_plan',
  'cancel_run',
  'list_repositories',
  'get_tree',
  'search_code',
  'find_symbol',
]
const ofRepositories = ['list_repositories', 'get_tree', 'search_code', 'find_symbol']
const ofRuns = ['run_task', 'get_run', 'approve_plan', 'cancel_run']
const reads = all.slice(0, 6)
const writes = all.slice(6, 11)
/** The twelve that an agent needs most. */
const core = all.filter(
  (name) =>
    !['get_changes', 'get_decision_graph', 'supersede_decision', 'get_task', ...ofRuns, ...ofRepositories].includes(
      name,
    ),
)

const namesIn = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
const clientOf = async (key = serving.adminKey, query = '') => connect({ url: serving.url, key }, '2026-07-28', query)

describe.each(eras)('with version %s of the protocol', (era) => {
  let client: Client
  beforeAll(async () => {
    client = await connect({ url: serving.url, key: serving.adminKey }, era)
  })

  it('the server gives its name and the instructions', () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(era)
    expect(client.getServerVersion()).toMatchObject({ name: 'precedent', title: 'Precedent' })
    expect(client.getInstructions()).toBe(instructions)
  })

  it('the tools are listed in a fixed order', async () => {
    expect(await namesIn(client)).toEqual(all)
    expect(await namesIn(client)).toEqual(all)
  })

  it('a decision is recorded, found, replaced, judged a failure, and asked about', async () => {
    const title = `Queues on Redis ${era}`
    const first = await tool(client, 'record_decision', {
      title,
      judgment: 'We keep queues in Redis.',
      rationale: 'The team knows it.',
      decided_by: ['Ann'],
      category: 'technical',
    })
    expect(first).toMatchObject({ isError: false, structured: { state: 'applied', entity: { type: 'decision' } } })
    const { id, url } = first.structured.entity
    expect(first.text).toBe(`Applied: decision “${title}”, id ${id}, ${publicUrl}/v1/decisions/${id}`)

    const found = await tool(client, 'search_decisions', { q: title, category: 'technical', limit: 1 })
    expect(found.structured.items).toMatchObject([{ id, title, in_force: true }])
    expect(found.text).toContain(`1. ${title}: We keep queues in Redis. (in force, `)

    const outcome = { id, outcome_status: 'failure', outcome_notes: 'Jobs were lost in a failover.' }
    expect((await tool(client, 'record_outcome', outcome)).text).toMatch(
      /^Applied: .*\nThe outcome is recorded: failure\.$/,
    )
    const repeated = await tool(client, 'record_outcome', outcome)
    expect(repeated.text).toMatch(/\nThe outcome was already recorded: nothing has changed\.$/)
    const earlier = { id, outcome_status: 'mixed', observed_at: '2020-01-01T00:00:00Z' }
    expect((await tool(client, 'record_outcome', earlier)).text).toMatch(
      /\nThe outcome is recorded: mixed\. One that was observed later still leads: failure\.$/,
    )
    const told = await tool(client, 'get_brief', { query: title })
    expect(told.text).toMatch(/## What failed before\n\n.*\n {2}Jobs were lost in a failover\./)
    const question = told.structured.open_questions.find((one: { claim: string }) => one.claim.includes(title))
    expect(question.reason).toBe('loss_ledger_gap')
    const asked = await tool(client, 'get_record', { id: question.question_id })
    expect(asked.structured.type).toBe('question')
    expect(asked.text).toContain('Jobs were lost in a failover.')

    const answer = { question_id: question.question_id, resolution: 'answer', note: 'Wait for the replica.' }
    expect((await tool(client, 'resolve_question', answer)).structured.entity.type).toBe('memory')
    const next = await tool(client, 'supersede_decision', {
      id,
      decision: { title: `Queues on PostgreSQL ${era}`, judgment: 'We keep queues in PostgreSQL.' },
      reason: 'Redis lost jobs.',
    })
    const newer = next.structured.entity.id
    expect(next.text).toMatch(new RegExp(`\nIt supersedes “${title}” \\(${id}\\)\\.$`))
    const again = await tool(client, 'supersede_decision', { id, superseded_by: newer })
    expect(again).toMatchObject({ isError: true, text: expect.stringMatching(/^already_superseded: /) })
    expect(again.text).toContain(`The newest that you may see is decision “Queues on PostgreSQL ${era}”, id ${newer}`)
    const record = await tool(client, 'get_record', { id: url })
    expect(record.structured).toMatchObject({ type: 'decision', decision: { id, superseded_by_decision_id: newer } })
    expect(record.text).toContain('- failure, ')
    expect(record.text).toContain(`## Took its place\n- Queues on PostgreSQL ${era} (decision ${newer})`)
    const { text } = await tool(client, 'get_decision_graph', { root: id })
    expect(text).toContain('n1 --> n0')
    expect(text).toContain(`%% n1: decision ${newer}`)
    const [outcomeId] = record.structured.decision.outcomes.items.map((one: { id: string }) => one.id)
    expect((await tool(client, 'get_record', { id: outcomeId })).structured.decision.id).toBe(id)
  })

  it('a decision that supersedes nothing yet says why', async () => {
    const older = await tool(client, 'record_decision', { title: `Old ${era}`, judgment: 'As it was.' })
    const { id } = older.structured.entity
    const decide = async (fields: object) =>
      (await tool(client, 'record_decision', { title: `New ${era}`, judgment: 'Another way.', ...fields })).text
    expect(await decide({ supersedes: ['nonexistent', id], status: 'proposed' })).toMatch(
      new RegExp(
        `^Applied: .*\nIt does not supersede nonexistent until it is accepted\\.\nIt does not supersede ${id} until`,
      ),
    )
    expect(await decide({ supersedes: 'nonexistent' })).toMatch(
      /\nIt does not supersede nonexistent yet: this key sees no/,
    )
    expect(await decide({ supersedes: [id], decided_at: '2999-01-01T00:00:00Z' })).toMatch(
      / until 2999-01-01T00:00:00.000Z\.$/,
    )
  })

  it('a memory is remembered, and the changes tell of it', async () => {
    const { structured: before } = await tool(client, 'get_changes', { limit: 200 })
    const content = `Deployments are on Tuesdays, says ${era}.`
    const memory = await tool(client, 'remember', { kind: 'fact', content, topics: 'deployments' })
    const { id } = memory.structured.entity
    const changes = await tool(client, 'get_changes', { cursor: before.cursor })
    expect(changes.text).toContain(`- upsert: memory “${content}” (${id}, `)
    expect((await tool(client, 'get_changes', { cursor: changes.structured.cursor })).text).toMatch(
      /^Nothing has changed/,
    )
    expect((await tool(client, 'get_record', { id })).structured.memory).toMatchObject({
      content,
      topics: ['deployments'],
    })
    expect((await tool(client, 'search_context', { q: content })).text).toContain(`(memory, ${id}, `)
    const receipt = await tool(client, 'get_record', { id: memory.structured.receipt_id })
    expect(receipt.structured).toMatchObject({ type: 'receipt', receipt: { state: 'applied', entity: { id } } })
  })

  it('a task is created, found, claimed by one of two agents, commented on and read whole', async () => {
    const decision = { title: `Dredge by night ${era}`, judgment: 'We dredge by night, when the tide is low.' }
    const decided = (await tool(client, 'record_decision', decision)).structured.entity.id
    const name = `Dredge the channel ${era}`
    const input = { name, description: 'To nine metres.', labels: 'harbour', due_at: '2027-03-01T00:00:00Z' }
    const made = await tool(client, 'create_task', { ...input, decision_ids: decided })
    const { id, url } = made.structured.entity
    expect(made.text).toBe(`Applied: task “${name}”, id ${id}, ${publicUrl}/api/v2/tasks/${id}`)
    expect((await tool(client, 'search_context', { q: name })).text).toContain(`(task, ${id}, `)
    const listed = await tool(client, 'list_tasks', { status: 'todo', label: ['harbour'], q: name, limit: 1 })
    expect(listed.text).toContain(`1. ${name} (${id}, todo, due 2027-03-01, labels harbour, revision 1)`)

    const claim = { id, status: 'in_progress', assignees: 'me', if_revision: 1 }
    expect((await tool(client, 'update_task', claim)).isError).toBe(false)
    const late = await tool(client, 'update_task', { ...claim, assignees: ['Bob'] })
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/^revision_conflict: /) })
    expect((await tool(client, 'comment_on_task', { id, body: 'The barge is here.' })).isError).toBe(false)

    const { text, structured } = await tool(client, 'get_task', { id })
    expect(structured).toMatchObject({ id, revision: 2, enrichment: { degraded: false } })
    expect(structured.enrichment.decisions[0]).toMatchObject({ id: decided, citation: 1 })
    expect(text).toMatch(new RegExp(`^# ${name}\\ntask ${id}, in_progress, due 2027-03-01, by `))
    expect(text).toContain('\n> To nine metres.\n')
    expect(text).toMatch(/## Comments\n- .*: The barge is here\./)
    expect(text).toMatch(/## Changes\n- .*: status “todo” → “in_progress”; assignees nothing → “/)
    expect(text).toMatch(/# What bears on: Dredge the channel.*## Decisions in force\n\n- \*\*Dredge by night/s)
    expect((await tool(client, 'get_task', { id, enrichment: 'none' })).text).not.toContain('What bears on')
    const record = await tool(client, 'get_record', { id: url })
    expect(record.structured).toMatchObject({ type: 'task', task: { id, description: 'To nine metres.' } })
    expect((await tool(client, 'get_brief', { query: name })).text).toContain(
      `- **${name}** (in progress, due 2027-03-01`,
    )
  })

  it('a list of tasks tells where it goes on, and how to learn what changed since', async () => {
    const project = `Paging ${era}`
    for (const name of ['First', 'Second']) await tool(client, 'create_task', { name, project })
    const first = await tool(client, 'list_tasks', { project, limit: 1 })
    expect(first.text).toMatch(/^1\. First .*\nThere is more: call again with the cursor \S+$/s)
    const second = await tool(client, 'list_tasks', { project, limit: 1, cursor: first.structured.next_cursor })
    expect(second.text).toMatch(/^1\. Second .*\nThat is all\. Later, the cursor \S+ shows what changed since\.$/s)
    expect((await tool(client, 'list_tasks', { project: 'none' })).text).toMatch(/^No task matches\./)
  })

  it('a run is started, read and cancelled, and a problem says why another is not', async () => {
    const { id } = (await tool(client, 'create_task', { name: `Paint the buoy ${era}` })).structured.entity
    expect(await tool(client, 'get_run', { id })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^not_found/),
    })
    const started = await tool(client, 'run_task', { id, executor: 'coder' })
    expect(started.structured).toMatchObject({ state: 'applied', entity: { type: 'run' } })
    expect((await tool(client, 'run_task', { id })).text).toMatch(/^run_active/)
    const { text, structured } = await tool(client, 'get_run', { id })
    expect(structured).toMatchObject({ state: 'awaiting_approval', policy: { verdict: 'require_approval' } })
    expect(text).toMatch(/^# Run 1: awaiting_approval, phase run|^# Run 1: awaiting_approval, phase plan/)
    expect(text).toContain('It awaits approval of plan_revision 0.')
    expect((await tool(client, 'approve_plan', { id, plan_revision: 0 })).text).toMatch(/^self_approval/)
    expect((await tool(client, 'cancel_run', { id, reason: 'No paint.' })).isError).toBe(false)
    expect((await tool(client, 'get_run', { id })).text).toContain('# Run 1: cancelled')
    expect((await tool(client, 'get_task', { id })).structured.run).toMatchObject({ state: 'cancelled' })
  })

  it('resources and prompts show the brief and single records', async () => {
    const content = `Ships moor at pier 9, says ${era}.`
    const { id } = (await tool(client, 'remember', { kind: 'constraint', content })).structured.entity
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['precedent://brief'])
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'precedent://decisions/{id}',
      'precedent://memories/{id}',
      'precedent://tasks/{id}',
    ])
    const task = (await tool(client, 'create_task', { name: `Moor at pier 9 ${era}` })).structured.entity.id
    const attached = await read(`precedent://tasks/${task}`)
    expect(attached).toMatchObject({ text: expect.stringMatching(new RegExp(`^# Moor at pier 9.*${content}`, 's')) })
    expect(await read('precedent://brief')).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringMatching(/^# /),
    })
    expect(await read(`precedent://memories/${id}`)).toMatchObject({ text: expect.stringContaining(content) })
    for (const uri of [
      `precedent://decisions/${id}`,
      'precedent://memories/none',
      `precedent://tasks/${id}`,
      `precedent://memories/${task}`,
      'precedent://tasks/none',
      'precedent://x',
      'file:///etc/passwd',
    ]) {
      await expect(read(uri), uri).rejects.toThrow(/not found/i)
    }
    const prompt = await client.getPrompt({ name: 'brief_me', arguments: { topic: content } })
    expect(prompt.messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining(content) } }])
    expect((await client.getPrompt({ name: 'handoff' })).messages).toHaveLength(1)
    await expect(client.getPrompt({ name: 'nothing' })).rejects.toThrow(/no such prompt/)
    await expect(client.getPrompt({ name: 'brief_me', arguments: { topics: 'x' } })).rejects.toThrow(/topics: unknown/)
  })

  it('a problem is a result that says what is wrong and what to do', async () => {
    expect(await tool(client, 'serch_context', { q: 'x' })).toMatchObject({
      isError: true,
      text: 'invalid_request: name: there is no tool "serch_context": did you mean search_context?',
    })
    const depth = await tool(client, 'get_decision_graph', { root: '0192d59f-0a11-7c22-8d33-4e445f556a66', depth: 21 })
    expect(depth).toMatchObject({ isError: true, text: 'invalid_request: depth: must be at most 20' })
    expect((await tool(client, 'search_decisions')).text).toMatch(
      /: send q, ids, or a filter such as status, in_force or/,
    )
    const both = await tool(client, 'remember', { kind: 'fakt' })
    expect(both.text).toMatch(/^invalid_request: kind: .+\n- content: /)
  })
})

describe('the lists of tools', () => {
  it('?tools=core has what an agent needs most, ?tools=chat what chat connectors expect', async () => {
    expect(core).toHaveLength(12)
    expect(await namesIn(await clientOf(serving.adminKey, '?tools=core'))).toEqual(core)
    const chat = await clientOf(serving.adminKey, '?tools=chat')
    expect(await namesIn(chat)).toEqual(['search', 'fetch'])
    expect(await tool(chat, 'get_brief')).toMatchObject({ isError: true })
  })

  it('search and fetch answer with JSON as their text', async () => {
    const content = 'The harbour master is Ida.'
    const { id } = (await tool(await clientOf(), 'remember', { kind: 'fact', content })).structured.entity
    const chat = await clientOf(serving.adminKey, '?tools=chat')
    const search = await tool(chat, 'search', { query: 'who is the harbour master' })
    expect(JSON.parse(search.text)).toEqual(search.structured)
    const result = search.structured.results.find((one: { id: string }) => one.id === id)
    expect(result).toEqual({ id, title: content, url: `${publicUrl}/memories/${id}` })
    const fetched = await tool(chat, 'fetch', { id })
    expect(JSON.parse(fetched.text)).toEqual(fetched.structured)
    expect(fetched.structured).toMatchObject({ ...result, text: expect.stringContaining(content) })
    expect((await tool(chat, 'fetch', { id: 'nothing' })).text).toMatch(/^not_found: .* search finds records\.$/)
  })

  it('a key sees the tools of its scopes only', async () => {
    expect(await namesIn(await clientOf(await serving.key(['context:read'])))).toEqual(reads)
    expect(await namesIn(await clientOf(await serving.key(['context:write'])))).toEqual(writes)
    expect(await namesIn(await clientOf(await serving.key(['tasks:read'])))).toEqual([
      'list_tasks',
      'get_task',
      'get_run',
    ])
    expect(await namesIn(await clientOf(await serving.key(['tasks:write'])))).toEqual(all.slice(13, 16))
    expect(await namesIn(await clientOf(await serving.key(['tasks:run'])))).toEqual(['run_task', 'cancel_run'])
    expect(await namesIn(await clientOf(await serving.key(['tasks:approve'])))).toEqual(['approve_plan'])
    expect(await namesIn(await clientOf(await serving.key(['repos:read'])))).toEqual(ofRepositories)
    const none = await clientOf(await serving.key(['admin']))
    expect(await namesIn(none)).toEqual([])
    expect((await none.listResources()).resources).toEqual([])
    expect((await none.listPrompts()).prompts).toEqual([])
  })

  it('every tool says when to use it, and has schemas that any client can read', async () => {
    const { tools } = await (await clientOf()).listTools()
    const ajv = addFormats.default(new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }))
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      expect(title, name).toBeTruthy()
      expect(description?.length, name).toBeGreaterThan(80)
      expect(Object.keys(annotations ?? {}), name).toHaveLength(5)
      for (const schema of [inputSchema, outputSchema ?? {}]) {
        expect(schema.type, name).toBe('object')
        expect(Object.keys(schema), name).not.toContain('anyOf')
        expect(JSON.stringify(schema), name).not.toMatch(/"\$ref"|\\\\p\{|\(\?</)
        ajv.compile(schema as object)
      }
      // the revision of a task is told, that of a decision is not
      expect(Object.hasOwn(inputSchema.properties ?? {}, 'if_revision'), name).toBe(name === 'update_task')
    }
  })

  // clients send the list to their model with every conversation. Make a text shorter before you raise a bound
  it.each([
    ['all tools', '', 54_000],
    ['?tools=core', '?tools=core', 36_000],
    ['?tools=chat', '?tools=chat', 1_500],
  ])('the list of %s stays within its bytes', async (_, query, most) => {
    const { tools } = await (await clientOf(serving.adminKey, query)).listTools()
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(most)
  })
})

describe('a write without idempotency_key', () => {
  it('is the same write when it is repeated, and can be tried again when it failed', async () => {
    const client = await clientOf()
    const memory = { kind: 'fact', content: 'The crane is painted yellow.' }
    const [one, other] = await Promise.all([tool(client, 'remember', memory), tool(client, 'remember', memory)])
    expect(other.structured.receipt_id).toBe(one.structured.receipt_id)
    const third = await tool(client, 'remember', { ...memory, content: 'The crane is painted red.' })
    expect(third.structured.receipt_id).not.toBe(one.structured.receipt_id)

    const decision = {
      title: 'Paint it',
      judgment: 'Blue.',
      sources: [{ type: 'note', title: `key ${serving.adminKey}` }],
    }
    const refused = await tool(client, 'record_decision', decision)
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^secret_detected: /) })
    const again = await tool(client, 'record_decision', decision)
    expect(again.text.split('Receipt: ')[1]).not.toBe(refused.text.split('Receipt: ')[1])
  })

  it('makes one task and one comment', async () => {
    const client = await clientOf()
    const task = { name: 'Grease the winch', labels: ['deck'] }
    const [one, other] = await Promise.all([tool(client, 'create_task', task), tool(client, 'create_task', task)])
    expect(other.structured.receipt_id).toBe(one.structured.receipt_id)
    const { id } = one.structured.entity
    for (const body of ['Done on Monday.', 'Done on Monday.', 'Not yet.']) {
      await tool(client, 'comment_on_task', { id, body })
    }
    const { comments } = (await tool(client, 'get_task', { id })).structured
    expect(comments.items.map(({ body }: { body: string }) => body)).toEqual(['Not yet.', 'Done on Monday.'])
    // changing a task twice is harmless: the second time nothing changes
    for (const _ of [1, 2]) await tool(client, 'update_task', { id, priority: 'high' })
    expect((await tool(client, 'get_task', { id })).structured.revision).toBe(2)
  })

  it('takes a key from its input', async () => {
    const client = await clientOf()
    const memory = { kind: 'fact', content: 'The gate opens at six.', idempotency_key: 'gate-at-six' }
    const { structured } = await tool(client, 'remember', memory)
    const body = { kind: memory.kind, content: memory.content }
    const headers = { 'idempotency-key': memory.idempotency_key }
    const over = await send(serving.url, 'POST', '/v1/context/memories', { key: serving.adminKey, body, headers })
    expect(over.body.receipt_id).toBe(structured.receipt_id)
    expect(await tool(client, 'remember', { ...memory, content: 'The gate opens at seven.' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^idempotency_conflict: /),
    })
  })
})

it('the log and the metrics name the tool and its problem', async () => {
  const client = await clientOf()
  await tool(client, 'search_context', { q: 'crane' })
  await tool(client, 'get_decision_graph', { root: 'x' })
  const lines = serving.logged.map((line) => JSON.parse(line)).filter(({ tool: name }) => name !== undefined)
  expect(lines.find((line) => line.tool === 'search_context')).toMatchObject({ status: 200, path: '/api/v2/mcp' })
  expect(lines.find((line) => line.tool === 'get_decision_graph' && line.problem)).toMatchObject({
    status: 200,
    problem: 'invalid_request',
  })
  const metrics = await fetch(`${serving.url}/metrics`, { headers: { authorization: `Bearer ${serving.adminKey}` } })
  const text = await metrics.text()
  expect(text).toMatch(/precedent_request_seconds_count\{.*status="2xx".*tool="search_context".*\} \d/)
  expect(text).toMatch(/precedent_request_seconds_count\{.*status="4xx".*tool="get_decision_graph".*\} \d/)
})
