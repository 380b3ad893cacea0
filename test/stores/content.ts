/** What the fixtures of stores hold, and every read of it. All is written through the API. */
import { firstWorkspace } from '../../src/access/workspaces.ts'
import { checkpointOf, comparedOf } from '../../src/journal/checkpoint.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { receipts } from '../../src/receipt.ts'
import { call, type ReceiptBody } from '../support/http.ts'
import { adminKey } from '../support/service.ts'

/** A request that only reads, with the key of the caller. */
export interface Read {
  key: string
  method: string
  path: string
  body?: unknown
}

export interface Content {
  /** The keys of callers: the admin, and a user who sees less. */
  keys: { admin: string; ann: string }
  /** Writes that no worker has seen, or that a worker left when it died. */
  open: string[]
  /** By the name used here. */
  ids: Record<string, string>
  receipts: string[]
}

const memories = '/v1/context/memories'
const decisions = '/v1/decisions'

/** Writes through a service that works. */
export async function writeContent(url: string): Promise<Content> {
  const admin = { url, key: adminKey }
  const made = await call<{ key: string }>(admin, 'POST', '/admin/keys', {
    name: 'Ann',
    scopes: ['context:read', 'context:write'],
    user: 'ann',
  })
  const ann = { url, key: made.body.key }
  const content: Content = { keys: { admin: adminKey, ann: ann.key }, open: [], ids: {}, receipts: [] }
  let written = 0

  async function write(as: typeof ann, method: string, path: string, body: object, name?: string, state = 'applied') {
    written += 1
    const headers = { 'idempotency-key': `fixture-write-${written}`, prefer: 'wait=30' }
    const answer = await call<ReceiptBody>(as, method, path, body, headers)
    if (answer.body.state !== state) throw new Error(`${path} ${name}: ${JSON.stringify(answer.body)}`)
    content.receipts.push(answer.body.receipt_id)
    if (name !== undefined) content.ids[name] = answer.body.entity?.id as string
  }
  const remember = (name: string, kind: string, text: string, more: object = {}, as = ann) =>
    write(as, 'POST', memories, { kind, content: text, ...more }, name)
  const decide = (name: string, title: string, more: object = {}) =>
    write(ann, 'POST', decisions, { title, judgment: `We choose: ${title}.`, ...more }, name)
  const id = (name: string) => content.ids[name] as string

  const sources = [{ type: 'ticket', id: 'ORCHARD-7', title: 'Late frost' }]
  await remember('frost', 'fact', 'The orchard in Delft froze on 3 April.', { topics: ['frost'], sources })
  await remember('secret', 'fact', 'Ann wants to leave the orchard in May.', { visibility: { scope: 'private' } })
  await remember('water', 'constraint', 'The pump gives at most 40 litres a minute.', { sources })
  await remember('promise', 'commitment', 'We deliver apples to the market every Friday.')
  await remember('wrong', 'fact', 'The barn holds 12 tonnes of apples.')
  await remember('right', 'correction', 'The barn holds 14 tonnes of apples.', { corrects_memory_id: id('wrong') })
  await remember('session', 'session_outcome', 'Planned the harvest with three crews.')
  await remember('doubt', 'fact', 'I think that the old press still works.')
  // contradict each other
  await remember('years', 'fact', 'Records of sprayed trees are kept for 3 years.')
  await remember('years-7', 'fact', 'Records of sprayed trees are kept for 7 years.')

  const structured = { summary: 'Frost killed the blossom twice.', alternatives: [{ title: 'Burn candles' }] }
  const entities = [{ type: 'place', id: 'delft', name: 'Delft' }]
  await decide('sprinklers', 'Sprinkle the trees against frost', {
    external_id: 'adr/1',
    context: structured,
    decided_by: ['Ann', 'Bo'],
    category: 'operations',
    significance: 'strategic',
    surface: 'adr',
    entities,
    sources,
    decided_at: '2026-02-01T09:00:00Z',
  })
  await decide('sprinklers', 'Sprinkle the trees against frost from below', {
    external_id: 'adr/1',
    category: 'operations',
    significance: 'strategic',
    surface: 'adr',
    entities,
    decided_at: '2026-03-01T09:00:00Z',
  })
  await decide('fans', 'Fans against frost', { external_id: 'adr/2', supersedes: ['adr/1'], entities })
  await decide('proposal', 'Sell cider in the shop', { status: 'proposed', category: 'product' })
  await decide('rejected', 'Sell wood', { status: 'rejected', category: 'product' })
  // a link on hold: its target has not been imported, and one that is dated ahead
  await decide('early', 'Pick by hand only', { external_id: 'adr/9', supersedes: ['adr/8'] })
  await decide('planned', 'Fans with solar power', { supersedes: [id('fans')], decided_at: '2099-01-01T00:00:00Z' })
  await decide('kiosk', 'Sell at a kiosk', { external_id: 'adr/3' })
  await write(ann, 'PATCH', `/api/v2/decisions/${id('kiosk')}/outcome`, {
    outcome_status: 'failure',
    outcome_notes: 'Nobody passed by in winter.',
    observed_at: '2026-03-05T00:00:00Z',
  })
  const cycle = { superseded_by: id('sprinklers') }
  await write(ann, 'POST', `/api/v2/decisions/${id('fans')}/supersede`, cycle, undefined, 'failed')
  const secret = 'The token of the weather service is gh'.concat('p_J15BQ1yJJWuvXWSuCowKM2rUrdmawC0ug50J')
  await write(ann, 'POST', memories, { kind: 'fact', content: secret }, undefined, 'rejected')
  await importBatch(ann, content)
  await answerOne(ann)
  return content
}

async function importBatch(ann: { url: string; key: string }, content: Content): Promise<void> {
  const one = (number: number) => ({
    title: `Prune row ${number}`,
    judgment: `Prune row ${number} of the orchard in winter.`,
    external_id: `batch/${number}`,
    ...(number === 3 ? { supersedes: ['batch/1'] } : {}),
  })
  const headers = { 'idempotency-key': 'fixture-batch' }
  const { body } = await call<{ receipts: { receipt: ReceiptBody }[] }>(
    ann,
    'POST',
    `${decisions}/batch`,
    { decisions: [1, 2, 3].map(one) },
    headers,
  )
  for (const { receipt } of body.receipts) {
    const ended = await call<ReceiptBody>(ann, 'GET', `/v1/receipts/${receipt.receipt_id}?wait=30`)
    if (ended.body.state !== 'applied') throw new Error(`batch: ${JSON.stringify(ended.body)}`)
    content.receipts.push(receipt.receipt_id)
  }
}

/** Waits for the contradiction, which is found after indexing, and answers the doubt. The others stay open. */
async function answerOne(ann: { url: string; key: string }): Promise<void> {
  for (;;) {
    const { body } = await call<{ open_questions: { question_id: string; reason: string }[] }>(
      ann,
      'POST',
      '/v1/context/search',
      { q: 'records of sprayed trees and the old press' },
    )
    const open = (reason: string) => body.open_questions.find((one) => one.reason === reason)
    const doubt = open('low_confidence')
    if (doubt === undefined || open('contradiction') === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      continue
    }
    const answer = { question_id: doubt.question_id, resolution: 'confirm' }
    const headers = { 'idempotency-key': 'fixture-answer', prefer: 'wait=30' }
    const { body: receipt } = await call<ReceiptBody>(ann, 'POST', '/v1/context/resolve', answer, headers)
    if (receipt.state !== 'applied') throw new Error(`resolve: ${JSON.stringify(receipt)}`)
    return
  }
}

/** Leaves a write that no worker has seen, and one whose worker died, on a service that does not work. */
export async function leaveOpen(url: string, documents: Documents, content: Content): Promise<void> {
  const ann = { url, key: content.keys.ann }
  for (const [name, text] of [
    ['accepted', 'The ladder in the north barn is red.'],
    ['processing', 'A crate of pears weighs 20 kilos.'],
  ] as const) {
    const body = { kind: 'fact', content: text }
    const answer = await call<ReceiptBody>(ann, 'POST', memories, body, { 'idempotency-key': `fixture-open-${name}` })
    if (answer.body.state !== 'accepted') throw new Error(`open: ${JSON.stringify(answer.body)}`)
    content.open.push(answer.body.receipt_id)
    if (name === 'processing') {
      const set = { state: 'processing', attempts: 1 } as const
      await documents.update(receipts, answer.body.receipt_id, { set })
    }
  }
}

/** Every kind of read. */
export function readsOf({ keys, ids, receipts, open }: Content): Read[] {
  const both = (method: string, path: string, body?: unknown): Read[] =>
    [keys.admin, keys.ann].map((key) => ({ key, method, path, ...(body === undefined ? {} : { body }) }))
  const admin = (path: string): Read => ({ key: keys.admin, method: 'GET', path })
  const memory = ['frost', 'water', 'promise', 'wrong', 'right', 'session', 'doubt', 'years']
  const decided = Object.keys(ids).filter((name) => ![...memory, 'years-7', 'secret'].includes(name))
  return [
    ...both('GET', '/v1/context/brief'),
    ...both('GET', '/v1/context/brief?query=frost'),
    ...[
      'frost in Delft',
      'leave the orchard',
      'pick by hand',
      'nobody in winter',
      'sprayed trees',
      'weight of a crate',
    ].flatMap((q) => both('POST', '/v1/context/search', { q })),
    ...both('POST', '/v1/context/search', {}),
    ...both('POST', '/v1/context/search', { references: [{ type: 'ticket', id: 'ORCHARD-7' }] }),
    ...both('POST', '/v1/decisions/search', { q: 'frost', threshold: 0 }),
    ...both('POST', '/v1/decisions/search', { ids: decided.map((name) => ids[name]) }),
    ...both('GET', '/api/v2/decisions/search?in_force=true'),
    ...both('GET', '/api/v2/decisions/search?q=frost&in_force=false'),
    ...both('GET', '/api/v2/decisions/search?category=operations'),
    ...both('GET', `/api/v2/decisions/graph?root=${ids.fans}`),
    ...[...memory, 'secret'].flatMap((name) => both('GET', `/v1/context/memories/${ids[name]}`)),
    ...decided.flatMap((name) => both('GET', `/v1/decisions/${ids[name]}`)),
    ...[...receipts, ...open].map((id): Read => ({ key: keys.ann, method: 'GET', path: `/v1/receipts/${id}` })),
    ...both('GET', '/v1/receipts?limit=50'),
    ...both('POST', '/v1/context/sync', { limit: 200 }),
    admin('/admin/keys'),
  ]
}

type Settling = { url: string; documents: Documents }

/**
 * Waits until the open receipts have ended, and their records were compared with others. Returns the ids of these
 * records, which are new each time.
 */
export async function settled({ url, documents }: Settling, { keys, open }: Content): Promise<string[]> {
  const made: string[] = []
  for (const receipt of open) {
    const { body } = await call<ReceiptBody>({ url, key: keys.ann }, 'GET', `/v1/receipts/${receipt}?wait=30`)
    if (body.state !== 'applied') throw new Error(`a receipt that was open did not end: ${JSON.stringify(body)}`)
    made.push(body.entity?.id as string)
  }
  while (!(await isCompared(documents))) await new Promise((resolve) => setTimeout(resolve, 100))
  return made
}

async function isCompared(documents: Documents): Promise<boolean> {
  const { projected } = await checkpointOf(documents, firstWorkspace)
  return (await comparedOf(documents, firstWorkspace)) >= projected
}

/** Answers without what no two services have in common: cursors, scores and instants of the answer itself. */
function comparable(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(comparable)
  if (typeof body !== 'object' || body === null) return body
  const kept = Object.entries(body).filter(([name]) => !changing.has(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, comparable(value)]))
}

const changing = new Set([
  'cursor',
  'next_cursor',
  'generated_at',
  'score',
  'last_used_at',
  'updated_at',
  'changed_at',
  'instance',
])

/** `made`: the ids that differ each time. They are named by their position. */
export async function answerTo(url: string, { key, method, path, body }: Read, made: readonly string[]) {
  const answer = await call({ url, key }, method, path, body)
  const text = made.reduce((all, id, at) => all.replaceAll(id, `made-${at}`), JSON.stringify(comparable(answer.body)))
  return { status: answer.status, body: JSON.parse(text) as object }
}
