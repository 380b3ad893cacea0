/** What an applied write did to decisions, read back. A caller that may only write is told less. */
import { oneLine } from '../../context/brief/text/in-line.ts'
import { getDecision } from '../../decisions/get.ts'
import type { OutcomeInput } from '../../decisions/outcome-input.ts'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { searchDecisions } from '../../decisions/search.ts'
import { isOutcomeNew, supersedingLines } from '../../decisions/told.ts'
import { Problem } from '../../problem.ts'
import type { ReceiptResponse } from '../../receipts/present.ts'
import type { Caller } from './tool.ts'

/** One line for each decision that the write names: whether it is superseded, or why not. */
export async function supersedingOf(
  wanted: readonly string[],
  receipt: ReceiptResponse,
  caller: Caller,
): Promise<string[]> {
  if (wanted.length === 0) return []
  const made = await decisionOf(receipt, caller)
  if (made === undefined) return []
  const ids = made.supersedes.slice(0, mostRead)
  const found = ids.length === 0 ? { items: [] } : await ifRead(caller.query(searchDecisions, { ids }))
  return found === undefined ? [] : supersedingLines({ made, wanted, replaced: found.items, inLine: oneLine })
}

/** Ids of one search. */
const mostRead = 50

/** Whether the outcome was recorded, and which one leads. */
export async function outcomeOf(
  { outcome_status }: Pick<OutcomeInput, 'outcome_status'>,
  receipt: ReceiptResponse,
  caller: Caller,
): Promise<string[]> {
  const decision = await decisionOf(receipt, caller)
  if (decision === undefined) return [`The outcome is recorded: ${outcome_status}.`]
  if (!isOutcomeNew(decision, receipt)) return ['The outcome was already recorded: nothing has changed.']
  const { outcome: leading } = decision
  const leads = leading === undefined || leading.recorded_at === receipt.accepted_at
  const further = leads ? '' : ` One that was observed later still leads: ${leading.outcome_status}.`
  return [`The outcome is recorded: ${outcome_status}.${further}`]
}

async function decisionOf({ entity }: ReceiptResponse, caller: Caller): Promise<DecisionGetOutput | undefined> {
  return entity?.type === 'decision' ? ifRead(caller.query(getDecision, { id: entity.id })) : undefined
}

/** undefined: the read was refused or failed. The write is applied, so that must not make the call fail. */
async function ifRead<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
