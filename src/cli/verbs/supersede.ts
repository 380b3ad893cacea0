/** `precedent supersede`: records the decision that takes the place of an older one. */
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
    .argument('[title]', 'what the newer one is called; - reads the whole decision as JSON from standard input')
    .description('record the decision that takes the place of an older one')
  addDecisionOptions(command).action(act(supersede))
}

async function supersede(
  session: Session,
  older: string,
  title: string | undefined,
  options: DecisionOptions,
): Promise<ExitCode> {
  const decision = await decisionFrom(session, title, options)
  if (uuidPattern.test(older)) await stillCurrent(session.client(), older)
  const others = Array.isArray(decision.supersedes) ? decision.supersedes : []
  return recordDecision(session, { ...decision, supersedes: [...new Set([older, ...others])] }, options)
}

/** Two successors are rarely meant: who means them says so with decide --supersedes. */
async function stillCurrent(client: Client, id: string): Promise<void> {
  const path = `/v1/decisions/${id.toLowerCase()}`
  const { superseded_by } = await client.call<DecisionGetOutput>({ method: 'GET', path })
  const [newer] = superseded_by
  if (!newer) return
  const { id: newerId = '', title = '' } = newer
  throw new Failure('failed', 'already_superseded', `It was superseded already, by “${inLine(title)}”.`, {
    remedy: `Supersede that one: ${newerId}. A second successor is recorded by \`precedent decide --supersedes ${id}\`.`,
    details: { superseded_by: newer },
  })
}
