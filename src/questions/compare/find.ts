/**
 * Internal operation: checks a finding of the comparison again, on the records at head, and creates its question
 * (SEMANTICS 6). Its idempotency key is made of the rule and the two rows, so each finding is accepted once.
 */
import { z } from 'zod'
import { nothingChanged } from '../../deciding/outcome.ts'
import type { RecordId } from '../../ids.ts'
import { defineOperation } from '../../operation.ts'
import type { Reason } from '../../records/body.ts'
import { isApplicable } from '../is-applicable.ts'
import { closing } from '../question.ts'
import { askQuestions } from '../raise/with-questions.ts'
import { findingsOfPair, pairRules } from './pairs.ts'

const input = z.strictObject({
  rule: z.enum(pairRules),
  a: z.string(),
  b: z.string(),
  /** The sentences in which it was found beside other records, or by a judge, by record id. Absent: rules find it again. */
  judged: z.record(z.string(), z.string()).exactOptional(),
})
type Found = z.infer<typeof input>

/** Open questions of one rule about one record for one audience: people who leave these open would not answer more. */
const mostOpen = 5

export const findQuestion = defineOperation<Found>({
  name: 'question.find',
  scope: 'admin',
  summary: 'Asks the question that two records raise together, if they still do.',
  raisesQuestions: false,
  input,
  texts: () => [],

  async decide(context) {
    const { rule, a, b, judged } = context.input
    const [one, other] = [await current(a), await current(b)]
    if (!one || !other) return nothingChanged
    const findings = findingsOfPair(one, other, judged).filter(({ reason }) => reason === rule)
    const audience = findings[0]?.audience
    if (!audience || (await hasEnoughQuestions(one.record_id)) || (await hasEnoughQuestions(other.record_id))) {
      return nothingChanged
    }
    const { created, changed } = await askQuestions(context, findings)
    const isAsked = created.length + changed.length > 0
    // a yes to the question who else can confirm a record would make it fresh, although it may be the wrong one of the two
    const lapsed = isAsked && rule === 'contradiction' ? [a, b].map((id) => openOn(id, 'single_source')) : []
    const closed = (await Promise.all(lapsed)).flat().map((question) => closing(question, context.at))
    return { ...nothingChanged, created, changed: [...changed, ...closed] }

    async function current(id: string) {
      const row = await context.state.record(id as RecordId)
      // includes records that are not yet in force: their questions are shown once they are
      return row && isApplicable(row, rule) ? context.state.whole(row.id) : undefined
    }
    async function openOn(id: string, reason: Reason) {
      const all = await context.state.questionsOn(id as RecordId)
      // questions for other audiences do not count
      return all.filter((row) => row.audience === audience && row.valid_to === null && row.body.reason === reason)
    }
    async function hasEnoughQuestions(id: RecordId): Promise<boolean> {
      return (await openOn(id, rule)).length >= mostOpen
    }
  },
})
