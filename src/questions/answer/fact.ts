/** Applies an answer about a memory as a whole (SEMANTICS 6, form fact). */

import type { DecideContext } from '../../deciding/context.ts'
import { outcomeAbout } from '../../deciding/outcome.ts'
import { successorOf, superseded } from '../../deciding/supersession.ts'
import type { QuestionBody } from '../../records/body.ts'
import type { Envelope } from '../../records/record.ts'
import { type AnswerOutcome, confirmation, memoryFromNote } from './answer-outcome.ts'
import type { ResolveInput } from './input.ts'

type Context = DecideContext<ResolveInput>

export async function answerFact(context: Context, { about, confidence }: QuestionBody): Promise<AnswerOutcome> {
  const { input, state, at } = context
  const memory = (await state.record((about[0] as (typeof about)[number]).record)) as Envelope
  if (input.resolution === 'confirm') {
    const changed = [await confirmation(context, memory, confidence)]
    return { outcome: outcomeAbout(memory, { changed }), made: null }
  }
  const row = memoryFromNote(context, input.note as string, memory.audience, [memory])
  const outcome = outcomeAbout(row, {
    created: [{ ...row, supersedes: [memory.record_id] }],
    changed: await superseded(state, memory, successorOf(row), at),
  })
  return { outcome, made: row.record_id }
}
