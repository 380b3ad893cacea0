/** The row of a session. It is for readers only: nothing is decided by it. */
import { instant } from '../../ports/clock.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import type { Held } from '../stored/lease.ts'
import { type Session, sessionId, sessions } from '../stored/session.ts'
import type { Finish } from './finish.ts'
import type { Output } from './output.ts'
import type { RunWorkerPorts } from './ports.ts'
import type { RunRow } from './run-row.ts'

/** An attempt before may have stored the row: its answer was lost. */
export async function storeSession(ports: RunWorkerPorts, held: Held, run: RunRow): Promise<void> {
  const { clock, documents, holder, host } = ports
  const row: Session = {
    id: sessionId(held.id, held.fence),
    workspace: run.workspace,
    audience: run.audience,
    run: held.id,
    fence: held.fence,
    phase: run.mutable.phase,
    state: 'running',
    worker: holder,
    host,
    started_at: instant(clock),
    ended_at: null,
    exit_code: null,
    output: '',
  }
  await documents.insert(sessions, row)
}

/** If it can't be stored now, the next time stores it too. */
export async function storeOutput({ documents, log }: RunWorkerPorts, id: string, output: Output): Promise<void> {
  try {
    const shown = await output.shown()
    if (shown !== undefined) await documents.update(sessions, id, { set: { output: shown } })
  } catch (error) {
    output.repeat()
    if (!(error instanceof EngineUnavailable)) log.error({ err: error, session: id }, 'could not store output')
  }
}

export async function storeEnd(ports: RunWorkerPorts, id: string, output: Output, finish: Finish): Promise<void> {
  const { documents, clock } = ports
  output.repeat()
  const shown = await output.shown()
  const set = { state: finish.state, ended_at: instant(clock), exit_code: finish.exitCode, output: shown ?? '' }
  await documents.update(sessions, id, { set })
}
