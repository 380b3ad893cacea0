/**
 * Asks the judge about pairs on which the rules found nothing. It never throws because of the judge: while the judge is
 * away, it answers nothing, and the rules alone decide.
 */
import type { WorkspaceId } from '../../ids.ts'
import { backOff } from '../../ports/back-off.ts'
import { type Clock, instant } from '../../ports/clock.ts'
import type { Documents } from '../../ports/documents.ts'
import { type Judge, type JudgedPair, JudgeUnavailable, type JudgeVerdict } from '../../ports/judge.ts'
import { within } from '../../ports/within.ts'
import { verdictId, verdicts } from './verdicts.ts'

export type JudgeOutcome = 'judged' | 'stored' | 'unusable' | 'unavailable'

export interface JudgeWatch {
  /** Counts pairs. */
  judged(outcome: JudgeOutcome, pairs: number): void
  failed(): void
}

interface JudgePorts {
  documents: Documents
  clock: Clock
  log: { warn(fields: object, message: string): void; info(message: string): void }
  judge: Judge
  watch: JudgeWatch
  stopping: AbortSignal
}

/** One verdict for each pair, in order. undefined: none. */
export type AskJudge = (
  workspace: WorkspaceId,
  pairs: readonly JudgedPair[],
) => Promise<readonly (JudgeVerdict | undefined)[]>

/** ms for all pairs of one call. */
const answersWithin = 15_000
/** ms without a request after a failure. */
const pauses = { first: 5_000, longest: 10 * 60_000 }

export function judgeAsker({ documents, clock, log, judge, watch, stopping }: JudgePorts): AskJudge {
  let failures = 0
  let pausedUntil = Number.NEGATIVE_INFINITY

  async function ask(pairs: readonly JudgedPair[]): Promise<(JudgeVerdict | undefined)[] | undefined> {
    if (clock.elapsed() < pausedUntil || stopping.aborted) return undefined
    try {
      const answered = await within(answersWithin, stopping, (signal) => judge.judge(pairs, signal))
      if (failures > 0) log.info('judge available again')
      failures = 0
      return answered
    } catch (error) {
      if (!(error instanceof JudgeUnavailable)) throw error
      if (stopping.aborted) return undefined
      failures++
      pausedUntil = clock.elapsed() + backOff(failures, { ...pauses, asked: error.askAgainIn })
      watch.failed()
      if (failures === 1) log.warn({ why: error.message }, 'judge unavailable; claims are compared by rules only')
      return undefined
    }
  }

  return async (workspace, pairs) => {
    if (pairs.length === 0) return []
    const ids = pairs.map((pair) => verdictId(workspace, judge.name, pair))
    const stored = await documents.find(verdicts, { where: { id: { in: ids } }, limit: ids.length })
    const known = new Map(stored.map(({ id, verdict }) => [id, verdict]))
    watch.judged('stored', known.size)
    const missing = ids.flatMap((id, at) => (known.has(id) ? [] : [{ id, pair: pairs[at] as JudgedPair }]))
    if (missing.length > 0) {
      const answered = await ask(missing.map(({ pair }) => pair))
      if (answered === undefined) watch.judged('unavailable', missing.length)
      else {
        const at = instant(clock)
        const made = missing.map(({ id }, n) => ({ id, verdict: answered[n] ?? null, at }))
        for (const { id, verdict } of made) {
          known.set(id, verdict)
          watch.judged(verdict === null ? 'unusable' : 'judged', 1)
        }
        await documents.insertMany(verdicts, made)
      }
    }
    return ids.map((id) => known.get(id) ?? undefined)
  }
}
