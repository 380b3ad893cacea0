/** The problem of an answer to a question that is closed: it names the question, its state, since when, and who answered it. */
import type { Scope } from '../../access/actor.ts'
import { type Problem, problem } from '../../problem.ts'
import type { Answer, QuestionBody } from '../../records/body.ts'
import type { RecordOf } from '../../records/record.ts'
import { keptBy } from './input.ts'

/** `scopes` are left out if they are not known: then only users themselves are told that it was them. */
interface Asking {
  user: string
  scopes?: readonly Scope[]
}

const states = {
  confirm: 'confirmed',
  correct: 'corrected',
  answer: 'answered',
  dismiss: 'dismissed',
} as const satisfies Record<Answer['resolution'], string>

/** A note that keeps one of two claims corrects nothing: `keep the newer`. */
function stateOf(
  { resolution, note }: Answer,
  body: Pick<QuestionBody, 'reason'>,
): (typeof states)[Answer['resolution']] {
  const isKept = keptBy({ resolution, ...(note === null ? {} : { note }) }, body) !== undefined
  return resolution === 'correct' && isKept ? 'answered' : states[resolution]
}

export function closedProblem(
  code: 'revision_conflict' | 'question_closed',
  { body, valid_to, mutable: { answer } }: Pick<RecordOf<'question'>, 'body' | 'valid_to' | 'mutable'>,
  asking: Asking,
): Problem {
  const { question_id } = body
  if (answer !== null) {
    const { at, given_to } = answer
    const by = maySeeWho(answer, asking) ? answer.by : undefined
    // of a contradiction the other question may ask it the other way round
    const state = given_to === undefined ? stateOf(answer, body) : 'closed'
    const given = `${stateOf(answer, given_to ?? body)} ${by === undefined ? '' : `by ${by} `}at ${at}`
    const message =
      given_to === undefined ? `it was ${given}` : `it asks the same as ${given_to.question_id}, which was ${given}`
    return problem(code, `The question ${question_id} is closed: ${message}.`, {
      details: { question_id, state, closed_at: at, ...(by === undefined ? {} : { closed_by: by }) },
    })
  }
  const since = valid_to === null ? '' : ` since ${valid_to}`
  return problem(
    code,
    `The question ${question_id} is closed${since}: one of its records was replaced or is no longer in force.`,
    { details: { question_id, state: 'closed', ...(valid_to === null ? {} : { closed_at: valid_to }) } },
  )
}

/** Answers are shown on the records of a question, which only keys with context:read can read. */
function maySeeWho({ by }: Answer, { user, scopes = [] }: Asking): boolean {
  return by === user || scopes.includes('context:read')
}
