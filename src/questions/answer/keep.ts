/** Answers of a contradiction that keep one of its two claims, without a new text. */
import type { QuestionBody } from '../../records/body.ts'
import type { ResolveInput } from './input.ts'

export type Kept = 'newer' | 'older'

/** Notes that, with `correct` or `answer`, keep a claim instead of replacing both. */
const notes: Readonly<Record<string, Kept>> = { 'keep the newer': 'newer', 'keep the older': 'older' }

/** The claim that an answer keeps. undefined: the question is no contradiction, or the answer keeps none. */
export function keptBy(
  { resolution, note = '' }: Pick<ResolveInput, 'resolution' | 'note'>,
  { reason }: Pick<QuestionBody, 'reason'>,
): Kept | undefined {
  if (reason !== 'contradiction') return undefined
  if (resolution === 'confirm') return 'newer'
  return resolution === 'dismiss' ? undefined : notes[note.trim().toLowerCase().replace(/\.$/, '')]
}
