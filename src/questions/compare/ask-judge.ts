/**
 * Asks the judge about pairs on which the rules found nothing, and stores its verdicts, so that a pair is asked about once
 * (docs/questions.md). It never throws because of the judge: while the judge is away, the rules alone decide.
 */
import { createHash } from 'node:crypto'
import type { WorkspaceId } from '../../ids.ts'
import { backOff } from '../../ports/back-off.ts'
import { type Clock, instant } from '../../ports/clock.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import { type Judge, type JudgedPair, JudgeUnavailable, type JudgeVerdict } from '../../ports/judge.ts'
import { within } from '../../ports/within.ts'

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

interface StoredVerdict {
  /** SHA-256 of the workspace, the name of the judge and both texts: a workspace learns nothing of another's pairs. */
  id: string
  /** null: the judge gave no usable verdict. */
  verdict: JudgeVerdict | null
  /** ISO 8601. */
  at: string
}

/** Never changed. Losing it costs further calls of the judge and nothing else. */
export const verdicts: Collection<StoredVerdict> = {
  name: 'verdicts',
  fields: { id: 'string', verdict: 'json', at: 'string' },
  unique: [],
  indexes: [['at']],
}

const day = 24 * 60 * 60 * 1000
/** Days. A pair is compared again only if a record is restored or compared anew, mostly soon. */
const keptFor = 30
const atOnce = 500

function verdictId(workspace: WorkspaceId, judge: string, { newer, older }: JudgedPair): string {
  const parts = [workspace, judge, newer.title, newer.text, older.title, older.text]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Deletes verdicts that are older than 30 days. Returns how many. */
export async function pruneVerdicts({ documents, clock }: { documents: Documents; clock: Clock }): Promise<number> {
  const before = new Date(clock.now() - keptFor * day).toISOString()
  let removed = 0
  for (;;) {
    const old = await documents.find(verdicts, { where: { at: { lt: before } }, limit: atOnce, fields: ['id'] })
    const ids = old.map(({ id }) => id)
    if (ids.length > 0) removed += await documents.delete(verdicts, ids)
    if (ids.length < atOnce) return removed
  }
}
