/** `precedent questions`: what is open, the most urgent first, and how each is answered. */
import type { Command } from 'commander'
import type { OpenQuestion } from '../../questions/schema.ts'
import { mostQuestions } from '../../questions/schema.ts'
import { type ExitCode, exitCodes } from '../failure.ts'
import { questionLines } from '../questions.ts'
import type { Act, Session } from '../session.ts'
import { inLine } from '../terminal.ts'

export function addQuestions(program: Command, act: Act): void {
  program
    .command('questions')
    .argument('[query...]', 'what they are about (default: all that is recorded)')
    .description('what a person should answer, and how: see resolve')
    .action(act(questions))
}

async function questions({ client, terminal }: Session, words: string[]): Promise<ExitCode> {
  const query = words.join(' ')
  // the longest brief: it asks about every record that it tells of
  const wanted = new URLSearchParams({ limit: '20', ...(query === '' ? {} : { query }) })
  const path = `/v1/context/brief?${wanted}`
  const { open_questions, markdown } = await client().call<{ open_questions: OpenQuestion[]; markdown: string }>({
    method: 'GET',
    path,
  })
  if (terminal.json) {
    terminal.printJson({ open_questions })
    return exitCodes.ok
  }
  if (open_questions.length === 0) {
    terminal.note(query === '' ? 'No question is open.' : `No question about “${inLine(query)}” is open.`)
    return exitCodes.ok
  }
  terminal.print(questionLines(open_questions, terminal, markdown))
  if (open_questions.length >= mostQuestions) {
    terminal.note(`\nThese are the ${mostQuestions} most urgent. With a query: those about it.`)
  }
  return exitCodes.ok
}
