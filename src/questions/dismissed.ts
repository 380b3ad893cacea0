/** Tells which records do not contradict each other, because a person said so. */
import type { RecordId } from '../ids.ts'
import { recordOfQuestion } from '../records/named.ts'
import type { RecordReader } from '../records/read/reader.ts'
import { questionIdOf } from './question.ts'

type Pair = readonly [RecordId, RecordId]

/** Those of `pairs` whose question about a contradiction was dismissed: both records hold. */
export async function dismissedAmong<Some extends Pair>(
  pairs: readonly Some[],
  reader: Pick<RecordReader, 'workspace' | 'rows'>,
): Promise<Set<Some>> {
  const idOf = (pair: Pair) => {
    const about = pair.map((record) => ({ record }))
    return recordOfQuestion(reader.workspace, questionIdOf({ form: 'clarification', reason: 'contradiction', about }))
  }
  const ids = new Map(pairs.map((pair) => [pair, idOf(pair)]))
  const rows = await reader.rows([...ids.values()], ['kind', 'mutable'])
  return new Set(
    pairs.filter((pair) => {
      const row = rows.get(ids.get(pair) as RecordId)
      return row?.kind === 'question' && row.mutable.answer?.resolution === 'dismiss'
    }),
  )
}
