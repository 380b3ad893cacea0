/** `precedent supersede`: replaces a decision by a new one, or by one that exists. */
import type { Command } from 'commander'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { uuidPattern } from '../../ids.ts'
import type { Client } from '../client/client.ts'
import { addDecisionOptions, type DecisionOptions, decisionFrom } from '../client/decision.ts'
import { decisionsWithExternalId } from '../client/decisions-with-external-id.ts'
import { ifAllowed, ifFound } from '../client/if-allowed.ts'
import { textFrom } from '../client/input.ts'
import { noSuch } from '../client/no-such.ts'
import { printRecord, readBack } from '../client/read-back.ts'
import type { Act, Session } from '../client/session.ts'
import { superseding } from '../client/superseding.ts'
import { write } from '../client/write.ts'
import { type ExitCode, Failure, usage } from '../terminal/failure.ts'
import { inLine } from '../terminal/terminal.ts'
import { recordDecision } from './decide.ts'

export function addSupersede(program: Command, act: Act): void {
  const command = program
    .command('supersede')
    .argument('<id>', 'the older decision: its id or external id')
    .argument('[title]', 'title of the newer decision; - reads the whole decision as JSON from standard input')
    .description('replace a decision by a new one, or by one that exists (--with)')
    .option('--with <id>', 'id of the decision that takes its place; only --reason goes with it')
  addDecisionOptions(command).action(act(supersede))
}

async function supersede(
  session: Session,
  older: string,
  title: string | undefined,
  options: SupersedeOptions,
): Promise<ExitCode> {
  if (options.with !== undefined) return supersedeWith(session, older, options.with, title, options)
  const decision = await decisionFrom(session, title, options)
  await assertCanBeSuperseded(session.client(), older, options.key === undefined ? undefined : decision.title)
  const others = Array.isArray(decision.supersedes) ? decision.supersedes : []
  return recordDecision(session, { ...decision, supersedes: [...new Set([older, ...others])] }, options)
}

interface SupersedeOptions extends DecisionOptions {
  with?: string
}

/** Options of a new decision that make no sense for one that exists. */
const ofNew = ['judgment', 'context', 'rationale', 'consequences', 'status', 'supersedes', 'externalId'] as const
const ofNewToo = ['decidedAt', 'by', 'category', 'significance', 'surface', 'visibility', 'source', 'file'] as const

async function supersedeWith(
  session: Session,
  older: string,
  newer: string,
  title: string | undefined,
  options: SupersedeOptions,
): Promise<ExitCode> {
  for (const id of [older, newer]) {
    if (!uuidPattern.test(id)) {
      throw usage(`“${id}” is not the id of a decision.`, '`precedent search --decisions` shows the ids.')
    }
  }
  if (title !== undefined || [...ofNew, ...ofNewToo].some((name) => options[name] !== undefined)) {
    throw usage(
      '--with names a decision that exists: leave out the fields of a new one.',
      'Only --reason goes with it.',
    )
  }
  const reason = options.reason === undefined ? {} : { reason: await textFrom(session, options.reason, '--reason') }
  const body = { superseded_by: newer.toLowerCase(), ...reason }
  return write(session, { path: `/api/v2/decisions/${older}/supersede`, body }, options, async (receipt, client) => {
    const made = await readBack<DecisionGetOutput>(receipt, client)
    for (const line of made ? await superseding(made, [older], client) : []) session.terminal.note(line)
    printRecord(receipt, session.terminal)
  })
}

/**
 * Fails if the key sees no such decision, which is mostly a typing error, or if the decision has a successor, because a
 * second one is rarely intended. `decide --supersedes` records the new decision all the same. `sent`: the title of the new
 * decision, if the write has an idempotency key. A successor with this title was made by an earlier try whose answer was lost.
 */
async function assertCanBeSuperseded(client: Client, older: string, sent: unknown): Promise<void> {
  const found = await decisionsNamed(client, older)
  // the key may only write
  if (found === undefined) return
  if (found.length === 0) throw noSuchDecision(older)
  const [newer] = found.flatMap(({ superseded_by }) => superseded_by)
  // of several decisions with this external id, the service takes the one with the visibility of the new decision
  if (!newer || found.some(({ superseded_by }) => superseded_by.length === 0)) return
  const { id: newerId = '', title = '' } = newer
  if (title === sent) return
  throw new Failure('failed', 'already_superseded', `This decision is already superseded, by “${inLine(title)}”.`, {
    remedy: `Supersede that decision instead: ${newerId}. To record a second successor anyway, use \`precedent decide --supersedes ${older}\`.`,
    details: { superseded_by: newer },
  })
}

/** The decisions with this id or external id that the key sees. undefined: the key may not read. */
function decisionsNamed(client: Client, older: string): Promise<DecisionGetOutput[] | undefined> {
  return ifAllowed(uuidPattern.test(older) ? withId(client, older) : withExternalId(client, older))
}

async function withId(client: Client, id: string): Promise<DecisionGetOutput[]> {
  const path = `/v1/decisions/${id.toLowerCase()}`
  const found = await ifFound(client.call<DecisionGetOutput>({ method: 'GET', path }))
  return found === undefined ? [] : [found]
}

async function withExternalId(client: Client, externalId: string): Promise<DecisionGetOutput[]> {
  const found: DecisionGetOutput[] = []
  for (const { id } of await decisionsWithExternalId(client, externalId)) found.push(...(await withId(client, id)))
  return found
}

/** Only a decision with an external id can be recorded after the one that supersedes it. */
function noSuchDecision(older: string): Failure {
  if (uuidPattern.test(older)) return noSuch('decision', older)
  return new Failure('failed', 'not_found', `There is no decision with the id or external id ${inLine(older)}.`, {
    remedy: `\`precedent search --decisions\` shows the ids. To supersede a decision that will be recorded later, use \`precedent decide --supersedes ${inLine(older)}\`.`,
  })
}
