/** Verdicts of the judge on pairs of texts. They are stored, so that a pair is asked about once (docs/questions.md). */
import { createHash } from 'node:crypto'
import type { WorkspaceId } from '../../ids.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import type { JudgedPair, JudgeVerdict } from '../../ports/judge.ts'

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

export function verdictId(workspace: WorkspaceId, judge: string, { newer, older }: JudgedPair): string {
  const parts = [workspace, judge, newer.title, newer.text, older.title, older.text]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Deletes verdicts that are older than 30 days. Returns how many. */
export async function pruneVerdicts({ documents, clock }: { documents: Documents; clock: Clock }): Promise<number> {
  const before = new Date(clock.now() - keptFor * day).toISOString()
  let removed = 0
  for (;;) {
    const old = await documents.find(verdicts, { where: { at: { lt: before } }, limit: atOnce, fields: ['id'] })
    if (old.length > 0)
      removed += await documents.delete(
        verdicts,
        old.map(({ id }) => id),
      )
    if (old.length < atOnce) return removed
  }
}
