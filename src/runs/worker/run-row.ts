/** The row of a run, which shows what the journal has decided. */

import type { RecordId } from '../../ids.ts'
import type { Documents } from '../../ports/documents.ts'
import { type RecordOf, records } from '../../records/record.ts'

const fields = ['id', 'kind', 'workspace', 'audience', 'title', 'text', 'body', 'mutable'] as const
export type RunRow = Pick<RecordOf<'run'>, (typeof fields)[number]>

export async function readRun(documents: Documents, id: RecordId): Promise<RunRow | undefined> {
  const row = await documents.get(records, id, fields)
  return row?.kind === 'run' ? row : undefined
}
