/** `precedent outcome`: records how a decision worked out. */
import type { Command } from 'commander'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { isOutcomeNew } from '../../decisions/told.ts'
import { uuidPattern } from '../../ids.ts'
import { outcomeStatuses } from '../../records/body.ts'
import { textFrom } from '../client/input.ts'
import { repeated, source, sourceForms, startOfDay } from '../client/options.ts'
import { printRecord, readBack } from '../client/read-back.ts'
import type { Act, Session } from '../client/session.ts'
import { addWriteOptions, type WriteOptions, write } from '../client/write.ts'
import { type ExitCode, usage } from '../terminal/failure.ts'

interface OutcomeOptions extends WriteOptions {
  status: string
  notes?: string
  observedAt?: string
  source?: object[]
}

export function addOutcome(program: Command, act: Act): void {
  const command = program
    .command('outcome')
    .argument('<id>', 'the id of the decision', decisionId)
    .description('record how a decision worked out; the decision stays as it is')
  command
    .addOption(
      command.createOption('--status <status>', 'how it worked out').choices(outcomeStatuses).makeOptionMandatory(),
    )
    .option('--notes <text>', 'what happened, and what was learned; - reads standard input')
    .option('--observed-at <date>', 'when it was observed: a day or an instant (default: now)', startOfDay)
    .option('--source <source>', `where it is documented: ${sourceForms}`, repeated(source))
  addWriteOptions(command).action(act(outcome))
}

async function outcome(session: Session, id: string, options: OutcomeOptions): Promise<ExitCode> {
  const { status, notes, observedAt, source: sources } = options
  const fields = {
    outcome_status: status,
    outcome_notes: notes === undefined ? undefined : await textFrom(session, notes, '--notes'),
    observed_at: observedAt,
    sources,
  }
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const path = `/api/v2/decisions/${id}/outcome`
  return write(session, { method: 'PATCH', path, body }, options, async (receipt, client) => {
    const decision = await readBack<DecisionGetOutput>(receipt, client)
    const isNew = decision === undefined || isOutcomeNew(decision, receipt)
    session.terminal.note(isNew ? `Recorded: ${status}.` : 'Already recorded: nothing has changed.')
    printRecord(receipt, session.terminal)
  })
}

function decisionId(text: string): string {
  if (uuidPattern.test(text)) return text
  throw usage(`“${text}” is not the id of a decision.`, '`precedent search --decisions` shows the ids.')
}
