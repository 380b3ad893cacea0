/** `precedent questions list`: all open questions, by priority and reason. */
import type { Command } from 'commander'
import { type OpenQuestion, reasons } from '../../questions/schema.ts'
import { longRetries } from '../client/client.ts'
import { someOf, wholeNumber } from '../client/options.ts'
import { openQuestions } from '../client/questions.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { shortClaim } from '../terminal/questions.ts'
import { inLine, type Terminal } from '../terminal/terminal.ts'

interface ListOptions {
  reason?: string[]
  limit?: number
  ids?: boolean
}

export function addListQuestions(questions: Command, act: Act): void {
  questions
    .command('list')
    .description('list all open questions that you may see, by priority and reason')
    .addOption(someOf('--reason <reason>', 'only questions with this reason', reasons))
    .option('--limit <count>', 'the most questions (default: all)', wholeNumber(1, 1_000_000))
    .option('--ids', 'print only ids, one a line, as `questions resolve --file` reads them')
    .action(act(list))
}

async function list({ client, terminal }: Session, options: ListOptions): Promise<ExitCode> {
  const found: OpenQuestion[] = []
  for await (const question of openQuestions(client(longRetries), options.reason)) {
    if (found.length === (options.limit ?? Number.POSITIVE_INFINITY)) break
    found.push(question)
    if (!terminal.json) terminal.print(options.ids ? inLine(question.question_id) : lineOf(question))
  }
  if (terminal.json) terminal.printJson({ open_questions: found })
  else if (found.length === 0) terminal.note('There are no open questions.')
  else if (!options.ids) noteCut(found, terminal)
  return exitCodes.ok
}

/** Characters of a claim in its line. */
const longestClaim = 200

/** The columns are separated by tabs, so that other programs can split them. */
export function lineOf({ question_id, priority, reason, claim }: OpenQuestion): string {
  return [inLine(question_id), priority, reason ?? '', shortClaim(claim, longestClaim)].join('\t')
}

/** Says how to read the claims whose lines are cut, if there are any. */
export function noteCut(questions: readonly OpenQuestion[], terminal: Terminal): void {
  if (questions.every(({ claim }) => shortClaim(claim, longestClaim) === inLine(claim))) return
  terminal.note('Long claims are cut. `precedent get ID` shows one whole, --json all of them.')
}
