/** `precedent supersede`: records a decision that replaces an older one. */
import type { Command } from 'commander'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { uuidPattern } from '../../records/ids.ts'
import type { Client } from '../client.ts'
import { addDecisionOptions, type DecisionOptions, decisionFrom } from '../decision.ts'
import { type ExitCode, Failure } from '../failure.ts'
import type { Act, Session } from '../session.ts'
import { inLine } from '../terminal.ts'
import { recordDecision } from './decide.ts'

export function addSupersede(program: Command, act: Act): void {
  const command = program
    .command('supersede')
    .argument('<id>', 'the older decision: its id or external id')
    .argument('[title]', 'title of the newer decision; - reads the whole decision as JSON from standard input')
    .description('record a decision that replaces an older one')
  addDecisionOptions(command).action(act(supersede))
}

async function supersede(
  session: Session,
  older: string,
  title: string | undefined,
  options: DecisionOptions,
): Promise<ExitCode> {
  const decision = await decisionFrom(session, title, options)
  if (uuidPattern.test(older)) await assertNotSuperseded(session.client(), older)
  const others = Array.isArray(decision.supersedes) ? decision.supersedes : []
  return recordDecision(session, { ...decision, supersedes: [...new Set([older, ...others])] }, options)
}

/**
 * Fails if the decision has a successor: a second one is rarely intended. `decide --supersedes` records one all the
 * same.
 */
async function assertNotSuperseded(client: Client, id: string): Promise<void> {
  const path = `/v1/decisions/${id.toLowerCase()}`
  const { superseded_by } = await client.call<DecisionGetOutput>({ method: 'GET', path })
  const [newer] = superseded_by
  if (!newer) return
  const { id: newerId = '', title = '' } = newer
  throw new Failure('failed', 'already_superseded', `This decision is already superseded, by “${inLine(title)}”.`, {
    remedy: `Supersede that decision instead: ${newerId}. To record a second successor anyway, use \`precedent decide --supersedes ${id}\`.`,
    details: { superseded_by: newer },
  })
}
