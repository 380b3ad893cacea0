/** Many agents at once: no answer is mixed up, and a write that is sent again is one write. */
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { openPorts, type Ports } from '../../src/engines.ts'
import { scopesOfAgents } from '../../src/http/routes/mcp-paths.ts'
import { logger } from '../../src/log/log.ts'
import { remember } from '../../src/memories/remember.ts'
import { receipts } from '../../src/receipt.ts'
import { accept } from '../../src/receipts/accept.ts'
import { runRulesOf } from '../../src/runs/deciding/rules.ts'
import { actorWith } from '../access/store.ts'
import { type Body, type Serving, serve } from '../http/serving.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { connect, eras, type Told, tool } from '../support/mcp.ts'
import { newStore, type Store } from '../support/profile.ts'

const agents = 50
const log = logger('silent')

/** Does what the text of a result says: an engine under load may refuse a call that succeeds later. */
async function insisting(client: Client, name: string, args: Record<string, unknown>): Promise<Told> {
  for (let tries = 1; ; tries++) {
    const told = await tool(client, name, args)
    if (!told.text.includes('The same call may succeed later.') || tries === 50) return told
    await setTimeout(200)
  }
}

describe('fifty clients at once, of both versions of the protocol', () => {
  let serving: Serving
  let clients: Client[]
  beforeAll(async () => {
    serving = await serve()
    const key = await serving.key([...scopesOfAgents], { user: 'ann' })
    clients = await Promise.all(
      Array.from({ length: agents }, (_, at) => connect({ url: serving.url, key }, eras[at % eras.length])),
    )
  })
  afterAll(() => serving.stop())

  it('each gets its own answers, and every write is applied once', async () => {
    const start = (await tool(clients[0] as Client, 'get_changes', { limit: 200 })).structured.cursor
    const contents = clients.map((_, at) => `Ward${at}x keeps lighthouse${at}x lit.`)
    const ids = await Promise.all(
      clients.map(async (client, at) => {
        const content = contents[at] as string
        const written = await tool(client, 'remember', { kind: 'fact', content })
        expect(written, content).toMatchObject({ isError: false, structured: { state: 'applied' } })
        const { id, label } = written.structured.entity
        expect([label, written.text.includes(id)]).toEqual([content, true])
        const [found, record, changes] = await Promise.all([
          insisting(client, 'search_context', { q: `who keeps lighthouse${at}x lit`, limit: 1 }),
          tool(client, 'get_record', { id }),
          tool(client, 'get_changes', { cursor: start, limit: 200 }),
        ])
        expect(found.structured.items.map((item: Body) => item.id)).toEqual([id])
        expect(record.structured).toMatchObject({ type: 'memory', memory: { id, content } })
        expect(changes.structured.changes.knowledge.map((change: Body) => change.id)).toContain(id)
        return id as string
      }),
    )
    expect(new Set(ids).size).toBe(agents)
    const { structured } = await tool(clients[0] as Client, 'get_changes', { cursor: start, limit: 200 })
    const changed = structured.changes.knowledge.map(({ id, title }: Body) => `${id} ${title}`)
    expect(changed.sort()).toEqual(ids.map((id, at) => `${id} ${contents[at]}`).sort())
  })

  it('the same write from all of them is one write, and it stays one when it is sent again', async () => {
    const fact = { kind: 'fact', content: 'The mole is repaired in May.' }
    const decision = { title: 'Repair the mole', judgment: 'Repair it in May.' }
    for (const [name, args] of [
      ['remember', fact],
      ['record_decision', decision],
      ['create_task', { name: 'Repair the mole' }],
    ] as const) {
      const told = await Promise.all(clients.map((client) => tool(client, name, args)))
      const [first] = told
      for (const { structured } of told) expect(structured.receipt_id).toBe(first?.structured.receipt_id)
      const again = await tool(clients[1] as Client, name, args)
      expect(again.structured).toMatchObject({ receipt_id: first?.structured.receipt_id, state: 'applied' })
    }
    const { structured } = await tool(clients[0] as Client, 'search_decisions', { q: decision.title })
    expect(structured.items).toHaveLength(1)
    const other = await tool(clients[0] as Client, 'remember', { ...fact, topics: ['mole'] })
    const same = await tool(clients[0] as Client, 'remember', fact)
    expect(other.structured.receipt_id).not.toBe(same.structured.receipt_id)
  })
})

describe('a write without idempotency_key', () => {
  const minutes = 60_000
  const repeatsFor = 10 * minutes
  let store: Store
  let ports: Ports
  /** ms that the clock of the test is ahead. */
  let ahead = 0
  /** ms that each look at the clock takes. */
  let pace = 0
  beforeAll(async () => {
    store = await newStore()
    const now = () => {
      ahead += pace
      return Date.now() + ahead
    }
    const clock = { ...systemClock, now }
    const config = load({ PRECEDENT_DATA_DIR: temporaryFolder(), ...store.env })
    ports = await openPorts(config, log, clock)
  })
  afterAll(async () => {
    await ports.close()
    await store.drop()
  })

  const ann = actorWith(['context:write'], { user: 'ann' })
  const send = (content: string, actor = ann) => {
    const call = { operation: remember, actor, input: { kind: 'fact', content }, idempotencyKey: 'none' }
    const runRules = runRulesOf(ports.documents, ports.clock, {
      approvalDays: 7,
      runsPerWorkspace: 10,
      notifies: false,
    })
    return accept({ ...ports, log, runRules }, { ...call, repeatsFor })
  }
  const end = (id: string, state: 'applied' | 'failed' | 'rejected') =>
    ports.documents.update(receipts, id, { set: { state } })

  it('is the same write for ten minutes, and then a new one', async () => {
    const { id } = await send('Tea is free.')
    expect(await send('Tea is free.')).toMatchObject({ id, replayed: true })
    await end(id, 'applied')
    ahead += repeatsFor - minutes
    expect(await send('Tea is free.')).toMatchObject({ id, replayed: true })
    ahead += minutes
    const later = await send('Tea is free.')
    expect(later.id).not.toBe(id)
    expect(later.replayed).toBeUndefined()
    expect((await send('Tea is free.')).id).toBe(later.id)
  })

  it('is the same write if it is sent twice at the same time, at any time of the clock', async () => {
    pace = 5_000
    for (let at = 0; at < 20; at++) {
      // not a divisor of the ten minutes, so that the clock stands everywhere in them
      ahead += 7 * minutes + 13
      const [one, ...others] = await Promise.all(Array.from({ length: 5 }, () => send(`Lunch ${at} is at noon.`)))
      for (const other of others) expect(other.id).toBe(one?.id)
      ahead += repeatsFor
      const [next, ...more] = await Promise.all(Array.from({ length: 5 }, () => send(`Lunch ${at} is at noon.`)))
      expect(next?.id).not.toBe(one?.id)
      for (const other of more) expect(other.id).toBe(next?.id)
    }
    pace = 0
  })

  it('may be tried again after it failed, any number of times', async () => {
    const ids = new Set<string>()
    for (let tries = 1; tries <= 12; tries++) {
      const [one, other] = await Promise.all([send('Coffee is free.'), send('Coffee is free.')])
      expect(other?.id).toBe(one?.id)
      ids.add(one?.id as string)
      expect(ids.size).toBe(tries)
      await end(one?.id as string, tries % 2 === 0 ? 'failed' : 'rejected')
    }
  })

  it('is another one for another user or with other input', async () => {
    const mine = await send('Milk is free.')
    expect((await send('Milk is cheap.')).id).not.toBe(mine.id)
    expect((await send('Milk is free.', { ...ann, user: 'bob' })).id).not.toBe(mine.id)
    expect((await send('Milk is free.')).id).toBe(mine.id)
  })
})
