/** `precedent search`: finds records, and shows what has replaced them and the open questions about them. */
import type { Command } from 'commander'
import type { SearchOutput } from '../../context/schema.ts'
import { categories, significances } from '../../decisions/input.ts'
import type { DecisionSearchOutput } from '../../decisions/schema.ts'
import { marksOf } from '../client/marks.ts'
import { endOfDay, fraction, startOfDay, wholeNumber } from '../client/options.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, usage } from '../terminal/failure.ts'
import { decisionLines, hitLines } from '../terminal/hits.ts'
import { conflictLines, questionLines } from '../terminal/questions.ts'
import { inLine, type Terminal } from '../terminal/terminal.ts'

interface SearchOptions {
  decisions?: boolean
  threshold?: number
  category?: string
  significance?: string
  since?: string
  asOf?: string
  limit?: number
  cursor?: string
}

export function addSearch(program: Command, act: Act): void {
  const option = (flags: string, description: string) => program.createOption(flags, description)
  program
    .command('search')
    .argument('[query...]', 'what to search for (default: the newest records in force)')
    .description('find records, what has replaced them, and the open questions about them')
    .option('--as-of <date>', 'only records in force then: a day (at its end, UTC) or an instant', endOfDay)
    .option('--limit <n>', 'most hits to show, 1 to 50 (default: 10)', wholeNumber(1, 50))
    .option('--cursor <cursor>', 'show the next page: the cursor that the page before printed, with the same query')
    .option('--decisions', 'only decisions, with the decisions that each one replaced')
    .option('--threshold <score>', 'with --decisions: the lowest score to show, 0 to 1 (default: 0.5)', fraction)
    .addOption(option('--category <category>', 'with --decisions: only this category').choices(categories))
    .addOption(
      option('--significance <significance>', 'with --decisions: only this significance').choices(significances),
    )
    .option('--since <date>', 'with --decisions: only decisions after this day or instant', startOfDay)
    .action(act(search))
}

async function search(session: Session, words: string[], options: SearchOptions): Promise<ExitCode> {
  const { decisions, asOf, threshold, category, significance, since: after, limit, cursor } = options
  const q = words.join(' ')
  const page = { ...(q === '' ? {} : { q }), limit, cursor }
  if (decisions) {
    if (asOf !== undefined) throw usage('--as-of cannot be combined with --decisions.', 'Leave out one of them.')
    if (q === '') throw usage('--decisions needs a query.')
    return searchDecisions(session, { ...page, threshold, category, significance, since: after })
  }
  const only = Object.entries({ threshold, category, significance, since: after }).find(
    ([, value]) => value !== undefined,
  )
  if (only) throw usage(`--${only[0]} can be used only with --decisions.`)
  return searchContext(session, { ...page, as_of: asOf })
}

async function searchContext({ client, terminal }: Session, body: object): Promise<ExitCode> {
  const answer = await client().call<SearchOutput>({ method: 'POST', path: '/v1/context/search', body, reads: true })
  if (terminal.json) terminal.printJson(answer)
  else {
    const { items, conflicts, open_questions } = answer
    const named = [...items, ...conflicts].map(({ source }) => source)
    const marks = await marksOf([...named, ...conflicts.map((one) => one.superseded_by)], client())
    const blocks = [
      hitLines(items, marks, terminal),
      ...(conflicts.length > 0 ? [`No longer holds:\n${conflictLines(conflicts, marks, terminal)}`] : []),
      ...(open_questions.length > 0
        ? [`Open questions (answer with \`precedent resolve\`):\n${questionLines(open_questions, terminal)}`]
        : []),
    ]
    show(answer, blocks, terminal)
  }
  return exitCodes.ok
}

async function searchDecisions({ client, terminal }: Session, body: object): Promise<ExitCode> {
  const path = '/v1/decisions/search'
  const answer = await client().call<DecisionSearchOutput>({ method: 'POST', path, body, reads: true })
  if (terminal.json) terminal.printJson(answer)
  else {
    show(answer, [decisionLines(answer.items, terminal)], terminal)
    if (answer.items.length === 0)
      terminal.note('A lower --threshold shows the nearest decisions, even if they do not answer the query.')
  }
  return exitCodes.ok
}

function show(answer: { items: unknown[]; next_cursor?: string }, blocks: string[], terminal: Terminal): void {
  const found = blocks.filter((block) => block !== '')
  if (found.length > 0) terminal.print(found.join('\n\n'))
  if (answer.items.length === 0) terminal.note('No record that this key may see matches.')
  if (answer.next_cursor !== undefined) {
    terminal.note(`\nThere are more hits. For the next page, add --cursor ${inLine(answer.next_cursor)}`)
  }
}
