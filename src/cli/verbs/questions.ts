/** `precedent questions`: lists open questions, the most urgent first, and the possible answers. */
import type { Command } from 'commander'
import type { OpenQuestion } from '../../questions/schema.ts'
import { mostQuestions } from '../../questions/schema.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { questionLines } from '../terminal/questions.ts'
import { inLine } from '../terminal/terminal.ts'
import { addListQuestions } from './questions-list.ts'
import { addResolveQuestions } from './questions-resolve.ts'

export function addQuestions(program: Command, act: Act): void {
  const command = program
    .command('questions')
    .argument('[query...]', 'the topic of the questions (default: the ten most urgent)')
    .description('list the questions that a person should answer; answer them with `precedent resolve`')
    .action(act(questions))
  addListQuestions(command, act)
  addResolveQuestions(command, act)
}

async function questions({ client, terminal }: Session, words: string[]): Promise<ExitCode> {
  const query = words.join(' ')
  // a brief returns the questions about its records, so ask for the longest brief
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
    terminal.note(
      query === '' ? 'There are no open questions.' : `There are no open questions about “${inLine(query)}”.`,
    )
    return exitCodes.ok
  }
  terminal.print(questionLines(open_questions, terminal, { brief: markdown }))
  if (open_questions.length >= mostQuestions) {
    terminal.note(
      `\nThese are the ${mostQuestions} most urgent questions. To see those about a topic, add a query; \`precedent questions list\` shows all.`,
    )
  }
  return exitCodes.ok
}
