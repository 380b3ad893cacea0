/** The input of context.resolve, and which claim of a contradiction it keeps. */
import { z } from 'zod'
import { type Kept, keptIn, knowsNothing, onlyPoints, standsAlone } from '../../claims/note.ts'
import { invalid } from '../../problem.ts'
import type { QuestionBody } from '../../records/body.ts'
import { characters, idempotencyKey, text, visibility } from '../../validation/schema.ts'

const resolutions = ['confirm', 'correct', 'dismiss', 'answer'] as const

export const resolveInput = z
  .strictObject({
    question_id: characters(1, 200).describe('From open_questions of a brief or a search.'),
    resolution: z
      .enum(resolutions)
      .describe(
        'confirm: the claim holds. correct: it does not, and note says what does. answer: note is the answer. dismiss: the question is not worth asking.',
      ),
    note: text(1, 20_000)
      .exactOptional()
      .describe(
        'Required for correct and answer: it replaces the claim. For a contradiction, `keep the older` and `keep the newer` keep that claim, which then replaces the other; another note replaces both. Visible to everyone who sees one of the records of the question; the Markdown of a brief says who that is.',
      ),
    visibility: visibility
      .exactOptional()
      .describe(
        'Who sees the record made from the note; for correct and answer only. If fewer people see the question than one of its records, it may be answered for them alone: that record then stays in force for the others.',
      ),
    idempotency_key: idempotencyKey.exactOptional(),
  })
  .check((context) => {
    const { resolution, note, visibility } = context.value
    if (resolution === 'confirm' || resolution === 'dismiss') {
      if (visibility === undefined) return
      const message = `allowed only with correct and answer: ${resolution} creates no record; leave it out`
      context.issues.push({ code: 'custom', path: ['visibility'], message, input: visibility })
      return
    }
    if (note !== undefined) return
    const message = `is required for ${resolution}: say what is right instead`
    context.issues.push({ code: 'custom', path: ['note'], message, input: note })
  })
export type ResolveInput = z.output<typeof resolveInput>

/** The claim that an answer keeps. undefined: the question is no contradiction, or the answer keeps none. */
export function keptBy(
  { resolution, note = '' }: Pick<ResolveInput, 'resolution' | 'note'>,
  { reason }: Pick<QuestionBody, 'reason'>,
): Kept | undefined {
  if (reason !== 'contradiction') return undefined
  if (resolution === 'confirm') return 'newer'
  return resolution === 'dismiss' ? undefined : keptIn(note)
}

/** Throws if the note would take the place of a claim and says nothing. That of a contradiction replaces both claims. */
export function checkNote({ resolution, note = '' }: ResolveInput, { reason, about }: QuestionBody): void {
  if (resolution === 'confirm' || resolution === 'dismiss') return
  if (knowsNothing(note)) {
    throw invalid('note', 'must say what is right: leave the question open until somebody knows it, or use dismiss')
  }
  if ((reason === 'low_confidence' || reason === 'single_source') && onlyPoints(note)) {
    throw invalid(
      'note',
      'replaces the claim, so it must say in a sentence what is right; if the claim holds, use confirm',
    )
  }
  if (reason !== 'contradiction' || keptIn(note) !== undefined) return
  const claims = about.map(({ claim }) => claim)
  if (standsAlone(note, claims)) return
  throw invalid(
    'note',
    'must be `keep the newer`, `keep the older`, or a sentence that says what is right and names what it is about, because it replaces both claims; if both hold, use dismiss',
  )
}
