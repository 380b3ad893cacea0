/** `precedent decide`: records a decision, or a new revision of the decision with the same external id. */
import type { Command } from 'commander'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { instantTold } from '../../records/standing.ts'
import { addDecisionOptions, type DecisionOptions, decisionFrom } from '../client/decision.ts'
import { printRecord, readBack } from '../client/read-back.ts'
import type { ReceiptResponse } from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import { superseding } from '../client/superseding.ts'
import { keyOf, write } from '../client/write.ts'
import type { ExitCode } from '../terminal/failure.ts'

export function addDecide(program: Command, act: Act): void {
  const command = program
    .command('decide')
    .argument('[title]', 'title of the decision; - reads the whole decision as JSON from standard input')
    .description('record a decision, or a new revision of a decision')
  addDecisionOptions(command).action(act(decide))
}

async function decide(session: Session, title: string | undefined, options: DecisionOptions): Promise<ExitCode> {
  return recordDecision(session, await decisionFrom(session, title, options), options)
}

export function recordDecision(
  session: Session,
  body: Record<string, unknown>,
  options: DecisionOptions,
): Promise<ExitCode> {
  const { terminal } = session
  const { idempotency_key: key, ...decision } = body
  // the JSON may hold the idempotency key; --key overrides it
  const keyed = options.key === undefined && key !== undefined ? { ...options, key: keyOf(String(key)) } : options
  return write(session, { path: '/v1/decisions', body: decision }, keyed, async (receipt, client) => {
    const made = await readBack<DecisionGetOutput>(receipt, client)
    terminal.note(made ? outcomeText(made, receipt) : 'Recorded.')
    for (const line of made ? await superseding(made, body.supersedes, client) : []) terminal.note(line)
    printRecord(receipt, terminal)
  })
}

function outcomeText({ revisions, in_force, status }: DecisionGetOutput, { accepted_at }: ReceiptResponse): string {
  const made = revisions.find(({ recorded_at }) => recorded_at === accepted_at)
  if (!made) return 'Already recorded with the same text: nothing has changed.'
  const as = revisions.length > 1 ? `Recorded as revision ${made.revision}` : 'Recorded'
  const subject = revisions.length > 1 ? 'this revision' : 'it'
  if (made !== revisions[0]) return `${as}. A newer revision exists: this one is only part of the history.`
  if (made.status !== 'accepted') return `${as} with status ${made.status}: ${subject} is not in force.`
  if (made.decided_at > new Date().toISOString())
    return `${as}: ${subject} is in force from ${instantTold(made.decided_at)}.`
  return in_force && status === 'accepted' ? `${as}: it is in force.` : `${as}: it is no longer in force.`
}
