/**
 * An executor with a guard, as seen by its worker: a program of the operator that lives in simulated time. The guard is
 * a process of its own, so it goes on while its worker is frozen. Between the two is a pipe, which may be slow.
 */
import type { Ending, Executor, ExecutorSession, Line } from '../../../src/ports/executor.ts'
import type { Process } from './process.ts'
import type { Time } from './time.ts'

/** ms. Longer than a lease lasts. */
export const longFreeze = (random: () => number) => 65_000 + random() * 100_000

/** A process of the operator, for the checks. */
export interface Program {
  run: string
  fence: number
  phase: string
  startedAt: number
  endedAt: number | undefined
}

export interface Programs {
  all: Program[]
  /** Called at each start. */
  started(program: Program): void
}

interface Around {
  world: { time: Time; random: () => number; programs: Programs; isStormy: boolean }
  worker: Process
  /** The worst moments are aimed at. */
  isHit: boolean
}

/** ms. A program that gets SIGTERM is gone after this time at the latest, because SIGKILL follows. */
const longestEnd = 10_000

export function simulatedExecutor(around: Around): Executor {
  const sessions: ExecutorSession[] = []
  return {
    async open({ id }) {
      await around.worker.clock.sleep(around.world.random() * 300)
      const session = openSession(id, around)
      sessions.push(session)
      return session
    },
    async close() {
      for (const one of sessions) one.end()
      await Promise.all(sessions.map(({ ended }) => ended))
    },
  }
}

function openSession(id: string, { world, worker, isHit }: Around): ExecutorSession {
  const { time, random, programs } = world
  let until = Number.NEGATIVE_INFINITY
  let program: Program | undefined
  let ending: Ending | undefined
  let isEnding = false
  const waiting: Line[] = []
  let told = () => {}
  let finish: (ending: Ending) => void = () => {}
  const ended = new Promise<Ending>((resolve) => {
    finish = resolve
  })

  // what is still in the pipe arrives even if the worker is frozen or dead
  const pipe = async (slow = 0.02) => {
    if (!isHit || !world.isStormy || random() >= slow) return time.sleep(random() * 30)
    worker.freeze(longFreeze(random))
    return time.sleep(random() * 150_000)
  }
  const over = (how: Ending) => {
    if (ending !== undefined) return
    ending = how
    if (program) program.endedAt = time.now()
    finish(how)
    told()
  }
  const terminate = async (how: Ending) => {
    if (isEnding) return
    isEnding = true
    // half of them ignore SIGTERM
    if (program) await time.sleep(random() < 0.5 ? longestEnd : random() * longestEnd)
    over(how)
  }
  const watch = async () => {
    while (ending === undefined && until > time.now()) await time.sleep(until - time.now())
    void terminate({ how: 'lease_over' })
  }
  const print = (value: object | string) => {
    waiting.push({ text: typeof value === 'string' ? value : JSON.stringify(value), from: 'stdout', isCut: false })
    told()
  }
  const live = async (phase: string) => {
    for (let left = Math.floor(random() * 6); left > 0 && !isEnding; left--) {
      await time.sleep(random() * 50_000)
      if (!isEnding) print(random() < 0.7 ? { type: 'milestone', title: `Step ${left} of ${id}` } : 'some output')
    }
    if (isEnding) return
    print(phase === 'plan' ? { type: 'plan', text: `Plan of ${id}`, steps: ['One'] } : { type: 'result', summary: id })
    over(random() < 0.85 ? { how: 'done' } : { how: 'failed', exitCode: 1, message: 'It failed.' })
  }
  void worker.died.then(() => terminate({ how: 'ended' }))

  async function* lines(): AsyncGenerator<Line> {
    for (;;) {
      for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) yield worker.awake(line)
      if (ending !== undefined) return
      await new Promise<void>((resolve) => {
        told = resolve
      })
    }
  }

  return {
    start({ document }, limit) {
      void pipe(0.3).then(() => {
        until = Math.max(until, limit)
        if (isEnding || ending !== undefined) return
        if (time.now() >= until) over({ how: 'lease_over' })
        else {
          const { phase, run, fence } = document as { phase: string; run: { id: string }; fence: number }
          program = { run: run.id, fence, phase, startedAt: time.now(), endedAt: undefined }
          programs.started(program)
          // the worst moment for a worker to fall silent
          if (isHit && world.isStormy && random() < 0.3) worker.freeze(longFreeze(random))
          void live(phase)
          void watch()
        }
      })
    },
    extend(limit) {
      void pipe().then(() => {
        until = Math.max(until, limit)
      })
    },
    end() {
      void pipe().then(() => terminate({ how: 'ended' }))
    },
    lines: lines(),
    ended: ended.then((how) => worker.awake(how)),
  }
}
