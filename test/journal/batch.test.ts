import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import type { ReceiptId } from '../../src/ids.ts'
import { chooseBatch } from '../../src/journal/batch.ts'
import { drain } from '../../src/journal/drain.ts'
import { entries } from '../../src/journal/entry.ts'
import type { JournalPorts } from '../../src/journal/ports.ts'
import { remember } from '../../src/memories/remember.ts'
import { type Receipt, receipts } from '../../src/receipt.ts'
import { actorAda, promise, type World, workspace, world } from '../support/apply.ts'

const interactive = { workspace, lane: 'interactive' as const }
const head = (number: number) => ({ number, last_seq: 0 })
const callerNamed = (user: string): Actor => ({ ...actorAda, user, credential: `key-of-${user}` })

describe('the receipts of the next entry', () => {
  let on: World
  let ports: JournalPorts
  let queries: number
  let rowsRead: number
  beforeEach(async () => {
    on = await world()
    queries = 0
    rowsRead = 0
    const find: JournalPorts['documents']['find'] = async (collection, query) => {
      const found = await on.documents.find(collection, query)
      queries += 1
      rowsRead += found.length
      return found
    }
    ports = { ...on.portsOf(on), documents: { ...on.documents, find } }
  })
  afterEach(() => on.close())

  it('are all waiting receipts in the order of acceptance, read in one query, if they fit', async () => {
    const accepted: string[] = []
    for (const user of ['eve', 'ada', 'ben', 'ada', 'eve']) accepted.push(await one(user))
    expect(await chosen()).toEqual(accepted)
    expect(queries).toBe(1)
  })

  it('include a quiet caller even if another caller has 5,000 waiting', async () => {
    const model = await one('ada')
    await flood('ada', 5_000, model)
    const quiet = [await one('zoe'), await one('zoe')]
    const ids = await chosen()
    expect(ids.length).toBe(500)
    expect(ids).toEqual(expect.arrayContaining(quiet))
    // and the entry decides them
    await drain(ports, interactive, { giveUp: async () => true })
    const [entry] = await on.documents.find(entries, { where: { workspace }, limit: 1 })
    expect(entry?.receipts.map(({ receipt }) => receipt)).toEqual(expect.arrayContaining(quiet))
  })

  it('cost the same for any length of the backlog', async () => {
    const model = await one('ada')
    await flood('ada', 1_000, model)
    await chosen()
    const before = { queries, rowsRead }
    await flood('ada', 6_000, model)
    queries = 0
    rowsRead = 0
    await chosen()
    expect({ queries, rowsRead }).toEqual(before)
  })

  it('are shared evenly by two callers with long backlogs, each in its order of acceptance', async () => {
    const model = await one('ada')
    await flood('ada', 900, model)
    await flood('ben', 900, model)
    const owners = await ownersOf(await chosen())
    expect(owners).toEqual({ ada: 250, ben: 250 })
    const order = (await waiting()).filter(({ owner }) => owner === 'ben').map(({ id }) => id)
    const ofBen = (await chosen()).filter((id) => order.includes(id))
    expect(ofBen).toEqual(order.slice(0, ofBen.length))
  })

  it('reach each of many callers with long backlogs within a few entries', async () => {
    const model = await one('user-00')
    const users = Array.from({ length: 40 }, (_, n) => `user-${String(n).padStart(2, '0')}`)
    for (const user of users) await flood(user, 510, model)
    const met = new Set<string>()
    // 16 callers in each entry, and the first caller
    for (let entry = 0; entry < 3; entry++)
      for (const user of Object.keys(await ownersOf(await chosen()))) met.add(user)
    expect([...met].sort()).toEqual(users)
  })

  it('include a caller even if the inputs of another one fill an entry', async () => {
    for (let n = 0; n < 30; n++) await one('ada', 'long '.repeat(39_000) + n)
    const quiet = await one('zoe')
    const ids = await chosen()
    expect(ids.length).toBeLessThan(30)
    expect(ids.indexOf(quiet)).toBe(1)
  })

  it('alternate between a suspect alone and the receipts of other callers', async () => {
    const suspect = await one('ada')
    const behind = await one('ada')
    const others = [await one('ben'), await one('ben')]
    await on.documents.update(receipts, suspect, { set: { attempts: 3 } })
    expect(await chosen(4)).toEqual([suspect])
    expect(await chosen(5)).toEqual(others)
    await on.documents.updateMany(receipts, others, { set: { undecided: 0 } })
    expect(await chosen(5)).toEqual([suspect])
    await on.documents.update(receipts, suspect, { set: { undecided: 0 } })
    expect(await chosen(5)).toEqual([behind])
  })

  async function one(user: string, content = `Of ${user}, at ${on.clock.now()}.`): Promise<ReceiptId> {
    return (await promise(on, remember, { kind: 'fact', content }, callerNamed(user))).id
  }

  /** Copies of a receipt, as if many callers had sent the call. */
  async function flood(owner: string, count: number, model: string): Promise<void> {
    const like = (await on.documents.get(receipts, model)) as Receipt
    const made = Array.from({ length: count }, (): Receipt => {
      const id = on.clock.id() as ReceiptId
      return { ...like, id, owner, idempotency_key: id, accepted_at: new Date(on.clock.now()).toISOString() }
    })
    await on.documents.insertMany(receipts, made)
  }

  async function chosen(entry = 0): Promise<ReceiptId[]> {
    return (await chooseBatch(ports, interactive, head(entry))).map(({ id }) => id)
  }

  async function waiting() {
    const all = await on.documents.find(receipts, {
      where: { id: { gt: '' } },
      limit: 10_000,
      fields: ['id', 'owner', 'accepted_at'],
    })
    return all.sort((a, b) => (`${a.accepted_at}${a.id}` < `${b.accepted_at}${b.id}` ? -1 : 1))
  }

  async function ownersOf(ids: readonly string[]): Promise<Record<string, number>> {
    const found = await on.documents.find(receipts, { where: { id: { in: ids } }, limit: 1000, fields: ['owner'] })
    const counts: Record<string, number> = {}
    for (const { owner } of found) counts[owner] = (counts[owner] ?? 0) + 1
    return counts
  }
})
