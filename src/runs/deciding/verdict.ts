/** Asks the policy of a run: at its start, and in mode auto again when its plan is there. */
import type { PolicySubject } from '../../access/run-policy.ts'
import type { DecideContext } from '../../deciding/context.ts'
import { covers } from '../../deciding/supersession.ts'
import type { Audience, RecordId } from '../../ids.ts'
import { type Problem, problem } from '../../problem.ts'
import type { RecordOf } from '../../records/record.ts'
import type { RunBody, RunPolicy } from '../../records/run.ts'
import type { RunRules } from '../../records/run-rules.ts'
import { stricter, verdictOf } from './policy.ts'

type Question = Pick<RecordOf<'question'>, 'title' | 'audience' | 'valid_to' | 'body'>
/** The questions on a decision, open or not. */
export interface QuestionReader {
  questionsOn(decision: RecordId): Promise<readonly Question[]>
}
/** What a run copies of its task that bears on the verdict. */
export type Judged = Pick<
  RunBody,
  'mode' | 'executor' | 'labels' | 'project' | 'priority' | 'repo_full_name' | 'decision_ids'
>

/** Throws policy_denied, in every mode. */
export async function firstVerdict(
  { state }: Pick<DecideContext<unknown>, 'state'>,
  body: Judged,
  audience: Audience,
  rules: RunRules,
): Promise<RunPolicy> {
  const first = await verdictAtStart(state, body, audience, rules)
  if (first.verdict === 'deny') throw denied(first)
  return first
}

export async function verdictAtStart(
  questions: QuestionReader,
  body: Judged,
  audience: Audience,
  rules: RunRules,
): Promise<RunPolicy> {
  const first = policyFor(body, rules)
  if (first.verdict === 'deny') return first
  if (body.mode === 'plan') return waiting(first, 'mode plan always waits for an approval')
  const question = await blockingQuestion(questions, body, audience)
  return question === undefined ? first : waiting(first, `an open question blocks a decision of the task: ${question}`)
}

/** The verdict on the plan: never milder than the one at the start. */
export function secondVerdict(first: RunPolicy, body: RunBody, rules: RunRules): RunPolicy {
  const now = policyFor(body, rules)
  return stricter(first.verdict, now.verdict) === first.verdict ? first : now
}

export function denied({ rule, because }: RunPolicy): Problem {
  return problem('policy_denied', `The policy denies this run: ${because.join('; ')}.`, { details: { rule } })
}

function policyFor(body: Judged, { policy }: RunRules): RunPolicy {
  return { ...verdictOf(policy?.policy, subjectOf(body)), version: policy?.version ?? 0 }
}

function subjectOf({ labels, project, priority, repo_full_name: repo, executor }: Judged): PolicySubject {
  return { labels, project, priority, repo, executor }
}

function waiting(policy: RunPolicy, because: string): RunPolicy {
  if (policy.verdict !== 'allow') return policy
  return { ...policy, verdict: 'require_approval', because: [...policy.because, because] }
}

/** The title of one that everyone who sees the task sees. */
async function blockingQuestion(
  questions: QuestionReader,
  { decision_ids }: Judged,
  audience: Audience,
): Promise<string | undefined> {
  for (const decision of decision_ids) {
    for (const question of await questions.questionsOn(decision)) {
      const isOpen = question.valid_to === null
      if (isOpen && question.body.priority === 'blocking' && covers(question.audience, audience)) return question.title
    }
  }
  return undefined
}
