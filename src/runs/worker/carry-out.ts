/** What happens in a session that the journal has let begin. */
import { deleteSessionKeys } from '../../access/session-keys.ts'
import { instant } from '../../ports/clock.ts'
import type { Ending, ExecutorSession } from '../../ports/executor.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { submit } from '../steps/submit.ts'
import { sessionId } from '../stored/session.ts'
import { givenTo } from './begin.ts'
import { type Finish, finishOf, revoked } from './finish.ts'
import { insist, isAllowed } from './insist.ts'
import type { Keeper } from './keeper.ts'
import { type MilestoneWriter, milestoneWriter } from './milestone-writer.ts'
import { type Output, sessionOutput } from './output.ts'
import type { RunExecutor, RunWorkerPorts } from './ports.ts'
import { pump, type Told } from './pump.ts'
import type { RunRow } from './run-row.ts'
import { storeEnd, storeOutput, storeSession } from './session-row.ts'

interface Begun {
  executor: RunExecutor
  opened: ExecutorSession
  run: RunRow
}

/** false: the session is lost, and nothing was submitted. Nothing of it is left in either case. */
export async function carryOut(ports: RunWorkerPorts, keeper: Keeper, begun: Begun): Promise<boolean> {
  const { documents, masker, clock } = ports
  const { opened, run } = begun
  const began = clock.elapsed()
  const { id: run_id, fence } = keeper.held
  const id = sessionId(run_id, fence)
  const output = sessionOutput(masker)
  const { workspace, audience } = run
  const writer = milestoneWriter(ports, keeper, { workspace, audience, run: run_id })
  const about = logged(run, id)
  await insist(ports, keeper, () => storeSession(ports, keeper.held, run))
  ports.log.info({ ...about, executor: begun.executor.name }, 'session begins')
  const finish = await finished(ports, keeper, begun, { id, output, writer })
  // until here it was paused or reading; now its group must be gone
  await ended(opened)
  await writer.add(note(ports, id, `The session has ended: ${finish.state}.`))
  await writer.flush()
  await putAway(ports, keeper, async () => {
    await deleteSessionKeys(documents, [id])
    await storeEnd(ports, id, output, finish)
  })
  const ms = clock.elapsed() - began
  ports.watch?.sessions?.ended(run.mutable.phase, finish.state, ms)
  ports.log.info({ ...about, state: finish.state, ms: Math.round(ms) }, 'session ended')
  return submitted(ports, keeper, run, finish)
}

/** The trace is that of the request that started the run. With it, the log lines of all processes about the run are found. */
function logged({ id: run, workspace, body, mutable }: RunRow, session: string) {
  const { trace } = body
  return { ...(trace === null ? {} : { trace }), workspace, run, session, phase: mutable.phase }
}

/** Of a lost session it is tried once: maintain deletes its key too, and readers see by the fence that it is lost. */
async function putAway(ports: RunWorkerPorts, keeper: Keeper, work: () => Promise<void>): Promise<void> {
  if (keeper.over() !== 'lost') await insist(ports, keeper, work)
  else {
    await work().catch((error: unknown) => {
      if (!(error instanceof EngineUnavailable)) throw error
    })
  }
}

interface Parts {
  /** Of the session. */
  id: string
  output: Output
  writer: MilestoneWriter
}

async function finished(ports: RunWorkerPorts, keeper: Keeper, begun: Begun, parts: Parts): Promise<Finish> {
  const { executor, opened, run } = begun
  const given = await insist(ports, keeper, () => givenTo(ports, keeper, run, executor))
  if (given === 'revoked') return revoked
  const told: Told = {}
  const ending = await (given === undefined || keeper.over() !== undefined ? ended(opened) : reading())
  return finishOf({ ending, over: keeper.over(), told, run, executor })

  async function reading(): Promise<Ending> {
    await parts.writer.add(note(ports, parts.id, `A session has started. Phase: ${run.mutable.phase}.`))
    opened.start(given as Exclude<typeof given, 'revoked' | undefined>, keeper.until())
    return followed(ports, opened, told, parts)
  }
}

function ended(opened: ExecutorSession): Promise<Ending> {
  opened.end()
  return opened.ended
}

function note({ clock }: RunWorkerPorts, session_id: string, title: string) {
  return { at: instant(clock), type: 'session', title, session_id } as const
}

/** ms. How often new output is stored. */
const outputEvery = 5_000

/** Reads the session to its end, and stores its output from time to time. */
async function followed(ports: RunWorkerPorts, opened: ExecutorSession, told: Told, parts: Parts): Promise<Ending> {
  const { clock, masker } = ports
  const { id, writer, output } = parts
  let isOver = false
  let storing = Promise.resolve()
  const store = async () => {
    for (;;) {
      await clock.sleep(outputEvery)
      if (isOver) return
      storing = storeOutput(ports, id, output)
      await storing
    }
  }
  void store()
  try {
    await pump(opened.lines, told, { clock, masker, writer, output, session: id })
    return await opened.ended
  } finally {
    isOver = true
    await storing
  }
}

/** false: as in carryOut(). */
async function submitted(ports: RunWorkerPorts, keeper: Keeper, run: RunRow, { next }: Finish): Promise<boolean> {
  if (typeof next === 'string') return next === 'leave'
  const { id, fence } = keeper.held
  const input = { fence, ...next.input }
  const step = { operation: next.operation, workspace: run.workspace, run: id, of: fence, input }
  const receipt = await insist(ports, keeper, () => submit(ports, 'run', step))
  if (receipt === undefined) return false
  // leave() reads what the journal has made of it
  await isAllowed(ports, keeper, receipt)
  return true
}
