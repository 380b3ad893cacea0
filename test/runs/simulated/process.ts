/** A simulated process: it may be killed or frozen at any time, and its calls of the store have faults. */
import type { Clock } from '../../../src/ports/clock.ts'
import type { Documents, OrderedWrites } from '../../../src/ports/documents.ts'
import { oneByOne } from '../../../src/ports/in-order.ts'
import { EngineUnavailable } from '../../../src/ports/unavailable.ts'
import type { Time } from './time.ts'

export interface Process {
  clock: Clock
  documents: Documents
  kill(): void
  freeze(ms: number): void
  isDead(): boolean
  /** Resolves when it is killed. */
  died: Promise<void>
  /** The answer, once the process runs. Never, if it is dead. */
  awake<T>(answer: T): Promise<T>
}

/** How likely a call of the store fails in each way. */
export interface Faults {
  refused: number
  /** It happens, and its answer is lost. */
  lost: number
  /** The caller gives up, and it happens later. */
  late: number
  /** It takes up to 40 s. */
  slow: number
  killed: number
  /** The process is frozen before or after it, for up to 150 s. */
  frozen: number
}

export const noFaults: Faults = { refused: 0, lost: 0, late: 0, slow: 0, killed: 0, frozen: 0 }

const start = Date.parse('2026-01-01T00:00:00Z')
/** ms. */
const longestFreeze = 150_000
let ids = 0

/** A fault of one certain call, which chance alone would seldom hit. */
export interface Aimed {
  /** ms that its answer takes. */
  answers?: number
  /** What happens to the process right after it: it dies, or is frozen for so many ms. */
  after?: 'dies' | number
}
export type Aim = (method: string, collection: string, change: { set?: object } | undefined) => Aimed | undefined

export function simulatedProcess(
  time: Time,
  store: Documents,
  random: () => number,
  { faults, aim }: { faults: () => Faults; aim: Aim },
): Process {
  let dead = false
  let frozenUntil = 0
  let die = () => {}
  const died = new Promise<void>((resolve) => {
    die = resolve
  })
  const never = () => new Promise<never>(() => {})
  const kill = () => {
    dead = true
    die()
  }

  function freeze(ms: number): void {
    frozenUntil = Math.max(frozenUntil, time.now() + ms)
  }

  async function awake<T>(answer: T): Promise<T> {
    while (!dead && frozenUntil > time.now()) await time.sleep(frozenUntil - time.now())
    return dead ? never() : answer
  }

  async function call(work: () => Promise<unknown>, aimed: Aimed | undefined): Promise<unknown> {
    await awake(undefined)
    const { refused, lost, late, slow, killed, frozen } = faults()
    const chance = random()
    const happens = (share: number, from: number) => chance >= from && chance < from + share
    if (happens(killed, 0)) kill()
    if (happens(refused, killed)) return refuse('refused')
    const isLate = happens(late, killed + refused)
    const isSlow = happens(slow, killed + refused + late)
    const isLost = happens(lost, killed + refused + late + slow)
    if (happens(frozen, killed + refused + late + slow + lost)) {
      void time.sleep(random() * 30).then(() => freeze(random() * longestFreeze))
    }
    const before = time.sleep(isSlow || isLate ? random() * 40_000 : random() * 20)
    const done = before.then(() => (dead && !isLate ? never() : time.real(work)))
    if (isLate) {
      done.catch(() => {})
      await time.sleep(random() * 5_000)
      return refuse('no answer in time')
    }
    const answer = await done
    // half of slow calls have a slow answer too
    await time.sleep(aimed?.answers ?? (isSlow && random() < 0.5 ? random() * 40_000 : random() * 10))
    if (aimed?.after === 'dies') kill()
    else if (aimed?.after !== undefined) freeze(aimed.after)
    return isLost ? refuse('the answer was lost') : awake(answer)
  }

  async function refuse(why: string): Promise<never> {
    await awake(undefined)
    throw new EngineUnavailable('test', why)
  }

  const documents: Documents = new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown
      if (typeof method !== 'function') return method
      if (name === 'inOrder') return (ask: (writes: OrderedWrites) => undefined) => oneByOne(documents, ask)
      return (...args: unknown[]) => {
        const [collection, , change] = args as [{ name?: string } | undefined, unknown, { set?: object } | undefined]
        const aimed = aim(String(name), collection?.name ?? '', change)
        return call(() => (method as (...all: unknown[]) => Promise<unknown>).apply(target, args), aimed)
      }
    },
  })

  const clock: Clock = {
    now: () => start + Math.floor(time.now()),
    elapsed: () => time.now(),
    id: () => idAt(start + Math.floor(time.now())),
    idsFollow: () => {},
    random,
    sleep: async (ms) => {
      await time.sleep(ms)
      await awake(undefined)
    },
  }

  return {
    clock,
    documents,
    kill,
    freeze,
    isDead: () => dead,
    died,
    awake,
  }
}

function idAt(now: number): string {
  const time = now.toString(16).padStart(12, '0')
  ids += 1
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${ids.toString(16).padStart(12, '0')}`
}
