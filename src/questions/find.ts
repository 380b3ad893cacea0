/**
 * Internal operation: what comparing two records found is checked again on the records at head, and asked
 * (SEMANTICS 6). Its key is made of the rule and the two rows: it is accepted once.
 */
import { z } from 'zod'
import { defineOperation } from '../operation.ts'
import type { RecordId } from '../records/ids.ts'
import { nothingChanged } from '../records/outcome.ts'
import { isApplicable } from './is-applicable.ts'
import { findingsOfPair, pairRules } from './pairs.ts'
import { askQuestions } from './with-questions.ts'

const input = z.strictObject({ rule: z.enum(pairRules), a: z.string(), b: z.string() })
export type Found = z.infer<typeof input>

/** Questions of one rule about one record that one audience is asked: who does not answer these will not answer more. */
const mostOpen = 5

export const findQuestion = defineOperation<Found>({
  name: 'question.find',
  scope: 'admin',
  summary: 'Asks what comparing two records found, if it still holds.',
  input,
  texts: () => [],

  async decide(context) {
    const { rule, a, b } = context.input
    const [one, other] = [await current(a), await current(b)]
    if (!one || !other) return nothingChanged
    const findings = findingsOfPair(one, other).filter(({ reason }) => reason === rule)
    const audience = findings[0]?.audience
    if (!audience || (await isAskedEnough(one.record_id)) || (await isAskedEnough(other.record_id))) {
      return nothingChanged
    }
    const { created, changed } = await askQuestions(context, findings)
    return { ...nothingChanged, created, changed }

    async function current(id: string) {
      const row = await context.state.record(id as RecordId)
      // a record that is dated ahead may contradict: it is shown when its time has come
      return row && isApplicable(row, rule) ? context.state.whole(row.id) : undefined
    }
    async function isAskedEnough(id: RecordId): Promise<boolean> {
      // what others are asked keeps nobody from being asked
      const asked = (await context.state.questionsOn(id)).filter((row) => row.audience === audience)
      return asked.filter((row) => row.valid_to === null && row.body.reason === rule).length >= mostOpen
    }
  },
})
