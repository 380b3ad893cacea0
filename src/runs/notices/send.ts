/**
 * Sends the notices that are due, for maintain. A notice is deleted once the receiver has confirmed it, so it is sent at
 * least once. Several processes may do this: each claims a notice before it sends it.
 */
import type { Logger } from 'pino'
import { backOff } from '../../ports/back-off.ts'
import { type Clock, instant } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import { NotDelivered, type Notifier } from '../../ports/notifier.ts'
import { within } from '../../ports/within.ts'
import { records } from '../../records/record.ts'
import { type Notice, notices } from '../stored/notice.ts'
import { messageOf, type NoticedRun } from './message.ts'

export interface NoticePorts {
  documents: Documents
  clock: Clock
  log: Logger
  /** undefined: none is configured any more. Notices then only get old. */
  notifier: Notifier | undefined
  publicUrl: string
  count?: (outcome: NoticeOutcome) => void
}

/** failed: it is sent again. dropped: it got too old. */
export const noticeOutcomes = ['delivered', 'failed', 'dropped'] as const
export type NoticeOutcome = (typeof noticeOutcomes)[number]

/** Notices sent at the same time. */
const atOnce = 8
/** ms that a receiver has to answer. */
const patience = 15_000
/** ms. Longer than `patience`: if the process dies meanwhile, another one sends the notice after this time. */
const claimedFor = 60_000
const pauses = { first: 10_000, longest: 30 * 60_000 }
/** ms. */
const keptFor = 24 * 60 * 60_000

/** Goes on while some are delivered. If the receiver is away, the next call tries again. */
export async function sendNotices(ports: NoticePorts, stopping: AbortSignal): Promise<void> {
  const { documents, clock } = ports
  for (;;) {
    const due = await documents.find(notices, {
      where: { due: { lte: instant(clock) } },
      sort: [
        ['due', 'asc'],
        ['id', 'asc'],
      ],
      limit: atOnce,
    })
    const outcomes = await Promise.all(due.map((notice) => handle(ports, notice, stopping)))
    const isMoving = outcomes.some((outcome) => outcome === 'delivered' || outcome === 'dropped')
    if (due.length < atOnce || !isMoving || stopping.aborted) return
  }
}

/** undefined: another process has it, there is no receiver, or this process stops. */
async function handle(ports: NoticePorts, notice: Notice, stopping: AbortSignal): Promise<NoticeOutcome | undefined> {
  const { documents, clock, count } = ports
  const outcome =
    clock.now() - Date.parse(notice.at) > keptFor
      ? await drop(ports, notice)
      : await claimAndSend(ports, notice, stopping)
  if (outcome !== undefined) count?.(outcome)
  if (outcome === 'delivered') await documents.delete(notices, [notice.id])
  return outcome
}

async function drop({ documents, log }: NoticePorts, { id, run, type, due, tries }: Notice) {
  if ((await documents.delete(notices, [id], { due })) === 0) return undefined
  log.error({ notice: id, run, type, tries }, 'notice dropped: it could not be delivered for 24 hours')
  return 'dropped' as const
}

async function claimAndSend(ports: NoticePorts, notice: Notice, stopping: AbortSignal) {
  const { documents, clock, notifier } = ports
  if (notifier === undefined) return undefined
  const claim = { set: { due: later(clock, claimedFor) }, inc: { tries: 1 } }
  if (!(await documents.update(notices, notice.id, claim, { due: notice.due }))) return undefined
  try {
    const message = messageOf(notice, await runOf(documents, notice), ports.publicUrl)
    await within(patience, stopping, (signal) => notifier.send(message, signal))
    return 'delivered' as const
  } catch (error) {
    if (!(error instanceof NotDelivered)) throw error
    const isStopping = stopping.aborted
    await putBack(ports, notice, isStopping ? undefined : error)
    return isStopping ? undefined : ('failed' as const)
  }
}

/** `failure`: undefined if this process stops, and the receiver is not to blame. */
async function putBack({ documents, clock, log }: NoticePorts, notice: Notice, failure: NotDelivered | undefined) {
  const { id, run, type } = notice
  const tries = notice.tries + 1
  const pause = failure ? backOff(tries, { ...pauses, asked: failure.askAgainIn }, clock.random) : 0
  await documents.update(notices, id, { set: { due: later(clock, pause) } })
  if (failure)
    log.warn({ notice: id, run, type, tries, why: failure.message }, 'notice not delivered; it is sent again')
}

async function runOf(documents: Documents, { run }: Notice): Promise<NoticedRun> {
  const fields = ['kind', 'record_id', 'workspace', 'audience', 'title', 'body'] as const
  const row = await documents.get(records, run, fields)
  if (row?.kind !== 'run') throw new NotDelivered('The run does not exist.')
  return row
}

function later(clock: Clock, ms: number): string {
  return new Date(clock.now() + ms).toISOString()
}
