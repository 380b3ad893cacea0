/** Formats runs and their milestones for people. */
import type { ExplainPolicyOutput, RunShown, SubscribeOutput } from '../../runs/shown.ts'
import { labelledText } from './record-text.ts'
import { inLine, type Terminal } from './terminal.ts'

/** One line: the time of day, and what was said. */
export function milestoneLine({ at, title, text }: SubscribeOutput['milestones'][number]): string {
  return `${at.slice(11, 19)}  ${inLine(title)}${text === undefined ? '' : `: ${inLine(text)}`}`
}

export function runLines(run: RunShown, terminal: Terminal): string {
  const { id, number, state, plan, approval, error, result, stale, executor, session } = run
  const waits = state === 'awaiting_approval'
  const because = waits ? run.policy.because.join('; ') : undefined
  const steps = waits ? (plan?.steps ?? []).map((step): [string, string] => ['Step', step]) : []
  return labelledText(terminal, `Run ${number}: ${state}`, result?.summary ?? (waits ? (plan?.text ?? '') : ''), [
    ...steps,
    ['Executor', executor],
    ['Waits because', because],
    ['Approve with', waits ? `--plan ${plan?.revision ?? 0}` : undefined],
    ['Approved by', approval?.by],
    ['Links', result?.links.join(', ')],
    ['Error', error && `${error.code}: ${error.message}`],
    ['Output', error && session?.output_tail],
    ['Note', stale ? 'the task has changed since the run copied it' : undefined],
    ['Id', id],
  ])
}

const would: Record<ExplainPolicyOutput['would'], string> = {
  start: 'starts at once',
  plan: 'plans, and then awaits approval',
  await_approval: 'awaits approval',
  be_refused: 'is refused',
}

export function policyLines(explained: ExplainPolicyOutput, terminal: Terminal): string {
  const { mode, executor, rule, because, self_approval } = explained
  return labelledText(terminal, `A run ${would[explained.would]}.`, '', [
    ['Rule', rule ?? 'none: the default decides'],
    ['Because', because.join('; ')],
    ['Mode', mode],
    ['Executor', executor],
    ['Own approval', self_approval ? 'whoever starts the run may approve it' : undefined],
  ])
}
