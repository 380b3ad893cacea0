/** Finds open questions that ask the same as one that is answered, so that nobody answers it twice. */
import type { StateAtHead } from '../../deciding/state-at-head.ts'
import type { RecordOf } from '../../records/record.ts'
import { mayBeRepeated, whatIsAsked } from '../what-is-asked.ts'

/**
 * Questions about one of the same records, with the same claims and for the same people. Questions for other people stay
 * open, because those people don't see this answer.
 */
export async function sameQuestions(
  state: StateAtHead,
  { id, audience, body }: RecordOf<'question'>,
): Promise<RecordOf<'question'>[]> {
  if (!mayBeRepeated(body)) return []
  const asked = whatIsAsked(body)
  const found = new Map<string, RecordOf<'question'>>()
  for (const { record } of body.about) {
    for (const other of await state.questionsOn(record)) {
      const isOpen = other.id !== id && other.valid_to === null && other.audience === audience
      if (isOpen && whatIsAsked(other.body) === asked) found.set(other.id, other)
    }
  }
  return [...found.values()]
}
