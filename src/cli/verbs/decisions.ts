/** `precedent decisions`: finds decisions by a question and filters, or lists the newest. */
import type { Command } from 'commander'
import type { FindOutput } from '../../decisions/find.ts'
import { categories, decisionStatuses, significances, surfaces } from '../../decisions/input.ts'
import { outcomeStatuses } from '../../records/body.ts'
import { anyText, endOfDay, fraction, repeated, someOf, startOfDay, wholeNumber } from '../client/options.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { decisionLines } from '../terminal/hits.ts'
import { inLine } from '../terminal/terminal.ts'

interface DecisionsOptions {
  category?: string[]
  significance?: string[]
  surface?: string[]
  status?: string[]
  outcome?: string[]
  inForce?: boolean
  entity?: string[]
  entityType?: string[]
  by?: string[]
  since?: string
  until?: string
  threshold?: number
  limit?: number
  cursor?: string
}

export function addDecisions(program: Command, act: Act): void {
  program
    .command('decisions')
    .argument('[query...]', 'a question that they answer (default: the newest ones in force)')
    .description('find decisions by a question and filters, or list the newest ones in force')
    .addOption(someOf('--category <category>', 'only this category', categories))
    .addOption(someOf('--significance <significance>', 'only this significance', significances))
    .addOption(someOf('--surface <surface>', 'only those recorded there', surfaces))
    .addOption(someOf('--status <status>', 'only this status', decisionStatuses))
    .addOption(someOf('--outcome <outcome>', 'only those that worked out like this', [...outcomeStatuses, 'none']))
    .option('--in-force', 'only decisions in force (the default without a query and filters)')
    .option('--no-in-force', 'only decisions that are not in force')
    .option('--entity <id>', 'only those that name the entity with this id; may be repeated', repeated(anyText))
    .option('--entity-type <type>', 'only those that name such an entity; may be repeated', repeated(anyText))
    .option('--by <name>', 'only those that this person took; may be repeated', repeated(anyText))
    .option('--since <date>', 'only decisions after this day or instant', startOfDay)
    .option('--until <date>', 'only decisions up to this day (to its end, UTC) or instant', endOfDay)
    .option('--threshold <score>', 'with a query: the lowest score to show, 0 to 1 (default: 0.5)', fraction)
    .option('--limit <n>', 'most decisions to show, 1 to 200 (default: 50)', wholeNumber(1, 200))
    .option('--cursor <cursor>', 'show the next page: the cursor that the page before printed, with the same filters')
    .action(act(decisions))
}

async function decisions({ client, terminal }: Session, words: string[], options: DecisionsOptions): Promise<ExitCode> {
  const { inForce, outcome, entity, entityType, by, threshold, limit, cursor, ...filters } = options
  const asked = {
    ...filters,
    q: words.join(' ') || undefined,
    entity_id: entity,
    entity_type: entityType,
    decided_by: by,
    outcome_status: outcome,
  }
  const hasFilter = Object.values({ ...asked, inForce }).some((value) => value !== undefined)
  const wanted = new URLSearchParams()
  for (const [name, value] of Object.entries({
    ...asked,
    in_force: hasFilter ? inForce : true,
    threshold,
    limit,
    cursor,
  })) {
    for (const one of [value].flat()) if (one !== undefined) wanted.append(name, String(one))
  }
  const answer = await client().call<FindOutput>({ method: 'GET', path: `/api/v2/decisions/search?${wanted}` })
  if (terminal.json) terminal.printJson(answer)
  else {
    if (answer.items.length > 0) terminal.print(decisionLines(answer.items, terminal))
    else if (!answer.has_more) terminal.note('No decision that this key may see matches.')
    if (answer.has_more && answer.next_cursor !== undefined) {
      terminal.note(`\nThere are more decisions. For the next page, add --cursor ${inLine(answer.next_cursor)}`)
    }
  }
  return exitCodes.ok
}
