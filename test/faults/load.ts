/** Writers that continue through every fault, and checks of all acknowledged writes. */
import { expect } from 'vitest'
import { type Answer, type Caller, call, type ReceiptBody, syncAll, write } from '../support/http.ts'

/** ms. The protocol promises recovery from any crash within this time. */
export const recovery = 90_000

const writers = 16

export interface Acknowledged {
  receipt: string
  title: string
}

export interface Load {
  /** By idempotency key. */
  acknowledged: Map<string, Acknowledged>
  /** The number of answers with each status. 0: the connection was cut. */
  told: Map<number, number>
  /** Ends the load. Writes without an answer, or with 503, are repeated until they are accepted. */
  stop(): Promise<void>
}

interface Sent {
  path: string
  key: string
  body: { title: string }
}

/** ms before a write that was not accepted is repeated. */
const pauseAfterRefusal = 100

/** A process under load. Its log explains wrong answers. */
type Target = Caller & { log?(): string }

/** Each writer sends one write after another, `every` ms apart, to the callers in turn. `most`: of all writers together. */
export function underLoad(
  callers: readonly Target[],
  name: string,
  { every = 0, most = Number.POSITIVE_INFINITY }: { every?: number; most?: number } = {},
): Load {
  const acknowledged = new Map<string, Acknowledged>()
  const told = new Map<number, number>()
  let going = true
  let sent = 0
  let turn = 0

  async function sendUntilTaken(one: Sent): Promise<void> {
    const until = Date.now() + recovery
    while (Date.now() < until) {
      const caller = callers[turn++ % callers.length] as Target
      const answer = await write(caller, one.path, one.key, one.body).catch(() => undefined)
      const status = answer?.status ?? 0
      told.set(status, (told.get(status) ?? 0) + 1)
      if (answer) expect([200, 202, 503], `${JSON.stringify(answer.body)} ${errorsOf(caller)}`).toContain(status)
      if (answer && isTaken(answer, one, acknowledged)) return
      await sleep(pauseAfterRefusal)
    }
    throw new Error(`${one.key} was not taken within ${recovery} ms: ${[...told]}`)
  }

  const all = Array.from({ length: writers }, async (_, writer) => {
    for (let number = 0; going && sent < most; number++) {
      sent++
      await sendUntilTaken(writeOf(`${name}-${writer}-${number}`))
      if (every > 0) await sleep(every)
    }
  })
  // stop() reports it
  for (const one of all) one.catch(() => {})
  return {
    acknowledged,
    told,
    async stop() {
      going = false
      await Promise.all(all)
    },
  }
}

/** Its last errors in the log. */
function errorsOf(caller: Target): string {
  const lines = caller.log?.().split('\n') ?? []
  return lines
    .filter((line) => /"level":(5|6)0/.test(line))
    .slice(-3)
    .join('\n')
}

function isTaken(
  { status, headers, body }: Answer<ReceiptBody>,
  sent: Sent,
  acknowledged: Load['acknowledged'],
): boolean {
  if (status === 503) {
    expect(Number(headers.get('retry-after')), 'a 503 says when to come again').toBeGreaterThan(0)
    expect(headers.get('content-type')).toContain('application/problem+json')
    return false
  }
  const before = acknowledged.get(sent.key)
  if (before) expect(body.receipt_id).toBe(before.receipt)
  acknowledged.set(sent.key, { receipt: body.receipt_id, title: sent.body.title })
  return true
}

function writeOf(name: string): Sent {
  const decision = name.endsWith('3') || name.endsWith('7')
  const body = decision
    ? { title: name, judgment: `We choose ${name}.`, external_id: `ext/${name}` }
    : { kind: 'fact', title: name, content: `The fact named ${name} holds.` }
  return {
    path: decision ? '/v1/decisions' : '/v1/context/memories',
    key: `key-of-${name}`,
    body: body as Sent['body'],
  }
}

const readersAtOnce = 8

/** Each receipt is applied by the deadline, and sync has every change exactly once. */
export async function allAppliedOnce(caller: Caller, loads: readonly Load[], deadline = Date.now() + recovery) {
  await allApplied(caller, loads, deadline)
  await eachOnce(caller, loads)
}

export async function allApplied(caller: Caller, loads: readonly Load[], deadline = Date.now() + recovery) {
  const left = loads.flatMap(({ acknowledged }) => [...acknowledged.values()])
  expect(left.length).toBeGreaterThan(0)
  const one = async () => {
    for (let next = left.pop(); next; next = left.pop()) await isApplied(caller, next, deadline)
  }
  await Promise.all(Array.from({ length: readersAtOnce }, one))
}

export async function eachOnce(caller: Caller, loads: readonly Load[]): Promise<void> {
  const times = new Map<string, number>()
  for (const change of await syncAll(caller)) times.set(change.title, (times.get(change.title) ?? 0) + 1)
  for (const { acknowledged } of loads) {
    for (const { title } of acknowledged.values()) expect(times.get(title), title).toBe(1)
  }
}

async function isApplied(caller: Caller, { receipt, title }: Acknowledged, deadline: number): Promise<void> {
  for (;;) {
    const wait = Math.max(0, Math.min(30, Math.floor((deadline - Date.now()) / 1000)))
    const { status, body } = await call<ReceiptBody>(caller, 'GET', `/v1/receipts/${receipt}?wait=${wait}`)
    if (status === 200 && body.state === 'applied') return
    const isLate = Date.now() > deadline || !['accepted', 'processing', undefined].includes(body.state)
    expect(isLate, `${title}: ${status} ${JSON.stringify(body)}`).toBe(false)
    await sleep(200)
  }
}

export function toldOf(loads: readonly Load[]): string {
  const sums = new Map<number, number>()
  for (const { told } of loads) for (const [status, n] of told) sums.set(status, (sums.get(status) ?? 0) + n)
  return [...sums].map(([status, n]) => `${n} × ${status === 0 ? 'cut off' : status}`).join(', ')
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
