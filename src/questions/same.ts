/** Finds questions that ask the same: a person sees one of them, and its answer closes the others. */
import { normalized } from '../claims/normalized.ts'
import type { StateAtHead } from '../deciding/state-at-head.ts'
import type { QuestionBody } from '../records/body.ts'
import type { RecordOf } from '../records/record.ts'
import { asksOfClaims } from './question.ts'

/** Equal for questions that ask the same. undefined: no other question may ask the same. */
export function whatIsAsked({ reason, about }: QuestionBody): string | undefined {
  if (!asksOfClaims(reason) || reason === 'pending_judgment') return undefined
  // both ask whether the claim is true
  const asks = reason === 'single_source' ? 'low_confidence' : reason
  return JSON.stringify([asks, about.map(({ claim }) => normalized(claim)).sort()])
}

/**
 * The open questions that an answer to this one answers too: about one of the same records, with the same claims and for
 * the same people. Questions for other people stay open, because those people don't see this answer.
 */
export async function sameQuestions(
  state: StateAtHead,
  { id, audience, body }: RecordOf<'question'>,
): Promise<RecordOf<'question'>[]> {
  const asked = whatIsAsked(body)
  if (asked === undefined) return []
  const found = new Map<string, RecordOf<'question'>>()
  for (const { record } of body.about) {
    for (const other of await state.questionsOn(record)) {
      const isOpen = other.id !== id && other.valid_to === null && other.audience === audience
      if (isOpen && whatIsAsked(other.body) === asked) found.set(other.id, other)
    }
  }
  return [...found.values()]
}
