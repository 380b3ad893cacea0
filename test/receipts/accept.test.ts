import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { remember } from '../../src/memories/remember.ts'
import { receipts } from '../../src/receipt.ts'
import { type AcceptPorts, accept, acceptMany } from '../../src/receipts/accept.ts'
import { records } from '../../src/records/record.ts'
import { actorAda, apply, quiet, type World, workspace, world } from '../support/apply.ts'

const ben: Actor = { ...actorAda, user: 'ben', credential: 'key-of-ben', teams: [] }
const fact = (content: string) => ({ kind: 'fact', content })

describe('an accepted call', () => {
  let on: World
  let ports: AcceptPorts
  let woken: string[]
  beforeEach(async () => {
    on = await world()
    woken = []
    const known = on.portsOf(on)
    ports = { ...known, queue: { ...known.queue, add: async (kind, { lane }) => void woken.push(`${kind} ${lane}`) } }
  })
  afterEach(() => on.close())

  const call = (input: object, idempotencyKey: string, actor = actorAda) => ({
    operation: remember,
    actor,
    input,
    idempotencyKey,
  })
  const one = (...args: Parameters<typeof call>) => accept(ports, call(...args))

  it('has a durable receipt, and wakes the apply worker', async () => {
    const { id } = await one(fact('Tea is free.'), 'key-1')
    expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'accepted', open: 1, undecided: 1 })
    expect(woken).toEqual(['apply interactive'])
    await acceptMany(ports, [{ ...call(fact('Milk is free.'), 'key-2'), lane: 'import' }])
    expect(woken).toEqual(['apply interactive', 'apply import'])
  })

  it('is acknowledged even if the queue is unavailable', async () => {
    const queue = { ...ports.queue, add: () => Promise.reject(new Error('away')) }
    const { id } = await accept({ ...ports, queue }, call(fact('Tea is free.'), 'key-1'))
    await quiet(on)
    expect(await on.documents.get(receipts, id)).toMatchObject({ state: 'applied' })
  })

  it('logs that workers can not be woken once for an outage, and once that they can again', async () => {
    const said: [object, string][] = []
    const say = (fields: object, message: string) => void said.push([fields, message])
    let isAway = true
    const queue = { ...ports.queue, add: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve()) }
    const logging = { ...ports, queue, log: { info: say, warn: say } as unknown as AcceptPorts['log'] }
    for (const key of ['key-1', 'key-2', 'key-3']) await accept(logging, call(fact(key), key))
    isAway = false
    for (const key of ['key-4', 'key-5']) await accept(logging, call(fact(key), key))
    await expect.poll(() => said.length).toBe(2)
    expect(said).toMatchObject([
      [{ kind: 'apply' }, expect.stringMatching(/^could not wake a worker/)],
      [{ failed: 3 }, 'workers can be woken again'],
    ])
  })

  it('is answered with its receipt if it is repeated, and refused if its input differs', async () => {
    const { id } = await one(fact('Tea is free.'), 'key-1')
    expect(await one(fact('Tea is free.'), 'key-1')).toMatchObject({ id, replayed: true, state: 'accepted' })
    await quiet(on)
    expect(await one(fact('Tea is free.'), 'key-1')).toMatchObject({ id, replayed: true, state: 'applied' })
    const refused = { code: 'idempotency_conflict', details: { receipt_id: id } }
    await expect(one(fact('Tea costs a euro.'), 'key-1')).rejects.toMatchObject(refused)
    const calls = [fact('Tea is free.'), fact('Tea costs a euro.'), fact('Milk is free.')]
    const answers = await acceptMany(ports, [
      ...calls.slice(0, 2).map((input) => call(input, 'key-1')),
      call(calls[2] as object, 'key-2'),
    ])
    expect(answers).toMatchObject([{ id, replayed: true }, refused, { state: 'accepted' }])
    expect(await on.documents.count(receipts, { where: { id: { gt: '' } }, upTo: 10 })).toBe(2)
  })

  it('is separate from a call of another user with the same key', async () => {
    const mine = await one(fact('Tea is free.'), 'key-1')
    const other = await one(fact('Tea costs a euro.'), 'key-1', ben)
    expect(other.id).not.toBe(mine.id)
    expect(other.replayed).toBeUndefined()
  })

  it('is answered with its receipt even if its check fails by now', async () => {
    const { entity } = await apply(on, remember, fact('Tea is free.'))
    const correction = { kind: 'correction', content: 'Tea costs a euro.', corrects_memory_id: entity?.id }
    const { id } = await one(correction, 'key-1')
    await quiet(on)
    // the record is hidden from the caller now
    await on.documents.updateMany(records, [entity?.id as string], { set: { audience: 'user:ben' } as object })
    expect(await one(correction, 'key-1')).toMatchObject({ id, replayed: true })
    await expect(one(correction, 'key-2')).rejects.toMatchObject({ code: 'not_found' })
    expect(await on.documents.count(receipts, { where: { workspace, open: 1 }, upTo: 10 })).toBe(0)
  })

  it('is refused as unavailable if the existing receipt is deleted before it can be read', async () => {
    await one(fact('Tea is free.'), 'key-1')
    const find: AcceptPorts['documents']['find'] = async () => []
    const away = { ...ports, documents: { ...on.documents, find } }
    await expect(accept(away, call(fact('Tea is free.'), 'key-1'))).rejects.toMatchObject({ code: 'unavailable' })
  })
})
