/** What people said by dismissing a question: that two records both hold, or why a proposal is rejected. */
import type { RecordId } from '../ids.ts'
import type { Answer } from '../records/body.ts'
import { recordOfQuestion } from '../records/named.ts'
import type { RecordReader } from '../records/read/reader.ts'
import { judgmentIdOf, questionIdOf } from './question.ts'

type Reader = Pick<RecordReader, 'workspace' | 'rows'>

/** Those of `pairs` whose question about a contradiction was dismissed: both records hold. */
export function dismissedAmong<Pair extends readonly RecordId[]>(
  pairs: readonly Pair[],
  reader: Reader,
): Promise<Map<Pair, Answer>> {
  return dismissals(pairs, reader, (pair) => {
    const about = pair.map((record) => ({ record }))
    return questionIdOf({ form: 'clarification', reason: 'contradiction', about })
  })
}

/** The dismissals that rejected these proposals. A proposal that was rejected with others of its source has none. */
export function rejectionsOf(proposals: readonly RecordId[], reader: Reader): Promise<Map<RecordId, Answer>> {
  return dismissals(proposals, reader, judgmentIdOf)
}

/** The answers to the questions of these, if they dismissed the question. */
async function dismissals<Of>(of: readonly Of[], reader: Reader, questionIdOf: (one: Of) => string) {
  const ids = new Map(of.map((one) => [one, recordOfQuestion(reader.workspace, questionIdOf(one))]))
  const rows = await reader.rows([...ids.values()], ['kind', 'mutable'])
  return new Map(
    [...ids].flatMap(([one, id]): [Of, Answer][] => {
      const row = rows.get(id)
      const answer = row?.kind === 'question' ? row.mutable.answer : null
      return answer?.resolution === 'dismiss' ? [[one, answer]] : []
    }),
  )
}
