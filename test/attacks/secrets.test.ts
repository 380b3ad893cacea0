import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importDecisions } from '../../src/decisions/import.ts'
import { decisionInput } from '../../src/decisions/input.ts'
import { textsOf } from '../../src/decisions/row.ts'
import { rememberInput } from '../../src/memories/input.ts'
import { remember } from '../../src/memories/remember.ts'
import { receipts } from '../../src/receipt.ts'
import { acceptMany } from '../../src/receipts/accept.ts'
import { findSecret } from '../../src/secrets/find.ts'
import { type Serving, send, serve, write } from '../http/serving.ts'
import { actorAda, world } from '../support/apply.ts'
import { heldBy } from '../support/blocked-thread.ts'

const random = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zAcD'
const token = `ghp_${random}12`
/** Characters: the longest text of a memory. */
const long = 200_000
/** ms of processor time that a request may block the thread. */
const longestHold = 200

/** Each begins like a credential but is none. It is repeated to fill the text. */
const nearMisses = [
  '://a:',
  '://a:b',
  'https://user:password@host ',
  'a://u:$P@h,',
  'mongodb://user:pass@host ',
  'eyJ',
  'eyJ ',
  'eyJ-',
  'eyJhbGciOiJub25lIn0.eyJhIjoxfQ.aaaaaaaaaaaaaaaaaaaa ',
  '-----BEGIN',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\nMIIE\n',
  `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n`,
  'Private-Lines: 1 ',
  'LS0tLS1CRUdJTi ',
  'AKIA',
  'AKIAXXXXXXXXXXXXXXXX ',
  'password=',
  'password is ',
  'server=a;password=changeme;',
  'secret a b c d e f ',
  `SecretAccessKey: ${'0123456789abcdef0123'.repeat(2)} `,
  `ghp_${'x'.repeat(36)} `,
  'glpat-',
  'sk-',
  'SG.a.b',
  'xoxb-1-',
  'xoxb-your-bot-token ',
  'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX ',
  '_authToken=<x> ',
  `${'M'.repeat(25)}.`,
  `"d":"${'a'.repeat(40)}"`,
  'Basic aaaaaaaaaaaaaaaa ',
  'curl -u a:b ',
  'jdbc:oracle:thin:',
  '%41',
  '&#58;//a:',
  '\\\\n',
  'a\u200b',
  'AKIA://a:eyJpassword=-----BEGIN PRIVATE KEY-----',
]

const full = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

const search = (text: string) => findSecret([{ place: 'content', text }])

describe('a text full of near-misses', () => {
  beforeAll(async () => {
    // loads the library and compiles it before the measurement
    for (const unit of nearMisses) await search(full(unit, 5_000))
  })

  it.each(nearMisses)('a text of near-misses of %j does not block the thread', async (unit) => {
    const { longest } = await heldBy(() => search(full(unit, long)))
    expect(longest).toBeLessThan(longestHold)
  })

  it('the time for near-misses is proportional to the length of the text', async () => {
    const costOfAll = async (length: number) => {
      const all = async () => {
        for (const unit of nearMisses) await search(full(unit, length))
      }
      return (await heldBy(all)).total
    }
    const half = await costOfAll(long / 2)
    // a rule that takes quadratic time would need four times as long for twice the text
    expect((await costOfAll(long)) / half).toBeLessThan(3)
  })

  it('a credential after many near-misses is found', async () => {
    for (const unit of nearMisses) {
      expect(await search(`${full(unit, long / 2)}\n\n${token}\n`), unit).toBeDefined()
    }
  })
})

describe('every text of an input that is stored', () => {
  /** Fields without free text: enumerations, instants and validated ids. */
  const bounded =
    /^(?:kind|occurred_at|decided_at|visibility|status|category|significance|surface|corrects_memory_id|idempotency_key)$/

  it.each([
    ['context.remember', rememberInput.shape, (input: object) => remember.texts(input as never)],
    ['decision.record', decisionInput.shape, (input: object) => textsOf(input as never)],
  ] as const)('is searched: %s', (_, shape, texts) => {
    const fields = Object.keys(shape).filter((name) => !bounded.test(name))
    const input = Object.fromEntries(fields.map((name) => [name, { deep: [`text of ${name}`] }]))
    const searched = JSON.stringify(texts({ ...input, content: 'text of content' }))
    for (const name of fields) expect(searched).toContain(`text of ${name}`)
  })
})

it('the store keeps nothing of a rejected input, not even its external_id', async () => {
  const on = await world()
  try {
    const call = {
      operation: importDecisions,
      actor: actorAda,
      input: { external_id: token, title: 'A', judgment: token },
      idempotencyKey: 'of-the-batch',
      externalId: token,
    }
    const [receipt] = await acceptMany(on.portsOf(on), [call])
    expect(receipt).toMatchObject({ state: 'rejected', external_id: null })
    const kept = await on.documents.find(receipts, { where: {}, limit: 10 })
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(random)
  } finally {
    await on.close()
  }
})

describe('over HTTP', () => {
  let serving: Serving
  beforeAll(async () => {
    serving = await serve()
  })
  afterAll(() => serving.stop())
  const key = () => serving.adminKey
  const fact = (content: string) => ({ kind: 'fact', content })

  it.each([
    ['in the header', { 'idempotency-key': token }, {}, 'Idempotency-Key'],
    ['in the body', undefined, { idempotency_key: token }, 'idempotency_key'],
  ])('refuses an idempotency key %s that holds a credential, and names it', async (_, headers, more, path) => {
    const body = { ...fact('Never stored.'), ...more }
    const answer = await send(serving.url, 'POST', '/v1/context/memories', { key: key(), body, headers: headers ?? {} })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', details: { issues: [{ path }] } } })
    await nothingKept()
  })

  it('an import with a credential in its idempotency key is refused', async () => {
    const body = { decisions: [] }
    const headers = { 'idempotency-key': token }
    const answer = await send(serving.url, 'POST', '/v1/decisions/batch', { key: key(), body, headers })
    expect(answer).toMatchObject({ status: 400, body: { details: { issues: [{ path: 'Idempotency-Key' }] } } })
    await nothingKept()
  })

  it.each(['name', 'user'])('a credential in the %s of a key is refused', async (field) => {
    const body = { name: 'ci', scopes: ['context:read'], [field]: token }
    const answer = await send(serving.url, 'POST', '/admin/keys', { key: key(), body })
    expect(answer).toMatchObject({ status: 400, body: { details: { issues: [{ path: field }] } } })
    await nothingKept()
  })

  it('the store keeps nothing of an import with a credential in its external_id', async () => {
    const decision = { external_id: token, title: 'A', judgment: 'B' }
    const headers = { 'idempotency-key': 'an-import-with-a-token' }
    const body = { decisions: [decision] }
    const answer = await send(serving.url, 'POST', '/v1/decisions/batch', { key: key(), body, headers })
    const details = { kind: 'github', place: 'external_id', line: 1 }
    expect(answer.body.receipts[0].receipt).toMatchObject({ state: 'rejected', error: { details } })
    await nothingKept()
  })

  it.each([
    ['title', { title: token }],
    ['topics[1]', { topics: ['a', token] }],
    ['sources[0].url', { sources: [{ type: 'doc', url: `https://example.com/${token}` }] }],
    ['sources[0].provenance.path', { sources: [{ type: 'doc', provenance: { class: 'repo', path: token } }] }],
    ['content', { content: `One.\nTwo.\n${token}` }],
  ])('rejects a memory with a credential in %s, and names the place and the line', async (place, more) => {
    const body = { ...fact('Fine.'), ...more }
    const answer = await write(serving.url, '/v1/context/memories', { key: key(), body })
    const line = place === 'content' ? 3 : 1
    expect(answer).toMatchObject({ status: 200, body: { state: 'rejected', error: { details: { place, line } } } })
    expect(answer.body.error.message).toContain(`Line ${line} of ${place} holds a credential (`)
    await nothingKept()
  })

  /** The credential is neither in an answer nor in the log. */
  async function nothingKept(): Promise<void> {
    const lists = await Promise.all(
      ['/v1/receipts', '/admin/keys'].map((path) => send(serving.url, 'GET', path, { key: key() })),
    )
    expect(JSON.stringify([lists.map(({ body }) => body), serving.logged])).not.toContain(random)
  }
})
