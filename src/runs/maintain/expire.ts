/** Ends runs that nobody has approved in time. The journal checks again when it decides. */
import type { JournalPorts } from '../../journal/ports.ts'
import { instant } from '../../ports/clock.ts'
import { type RunStateDocument, runStateDocuments } from '../../records/run.ts'
import { submit } from '../steps/submit.ts'

/** Runs of one query. */
const pageSize = 500

export async function expireRuns(ports: JournalPorts): Promise<void> {
  const now = instant(ports.clock)
  const failures: unknown[] = []
  for await (const { id: run, workspace, since, expires_at } of awaiting(ports)) {
    if (expires_at > now) continue
    // with the hour in the key: a worker whose clock is behind refuses it, and it is asked again
    const of = `${since}/${now.slice(0, 'yyyy-mm-ddThh'.length)}`
    const step = { operation: 'run.expire', workspace, run, of, input: { since } } as const
    await submit(ports, 'maintain', step).catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

type Awaiting = Pick<RunStateDocument, 'id' | 'workspace' | 'since' | 'expires_at'>

async function* awaiting({ documents }: JournalPorts): AsyncGenerator<Awaiting> {
  for (let since = new Date(0).toISOString(); ; ) {
    const page: Awaiting[] = await documents.find(runStateDocuments, {
      where: { state: 'awaiting_approval', since: { gte: since } },
      sort: [
        ['since', 'asc'],
        ['id', 'asc'],
      ],
      limit: pageSize,
      fields: ['id', 'workspace', 'since', 'expires_at'],
    })
    yield* page
    const last = page.at(-1)
    // a page of one instant alone ends the look: when its runs have expired, the others follow
    if (page.length < pageSize || last === undefined || last.since === since) return
    since = last.since
  }
}
