/** `precedent brief`: what you should know about a topic, or right now, with citations. */
import type { Command } from 'commander'
import { withCited } from '../../context/brief/cited.ts'
import type { BriefOutput } from '../../context/brief/schema.ts'
import { mostQuestions } from '../../questions/schema.ts'
import type { Client } from '../client/client.ts'
import { wholeNumber } from '../client/options.ts'
import { countOpen } from '../client/questions.ts'
import { unlessFailed } from '../client/read-back.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes } from '../terminal/failure.ts'
import { markdownOn } from '../terminal/markdown.ts'
import { count } from '../terminal/terminal.ts'

interface BriefOptions {
  lens?: string
  limit?: number
}

export function addBrief(program: Command, act: Act): void {
  program
    .command('brief')
    .argument('[query...]', 'the topic (default: what you should know right now)')
    .description('show what you should know, as Markdown with numbered citations')
    .addOption(
      program.createOption('--lens <lens>', 'handoff: for a person or an agent that takes over').choices(['handoff']),
    )
    .option('--limit <n>', 'most decisions to show, 1 to 20 (default: 10)', wholeNumber(1, 20))
    .action(act(brief))
}

async function brief({ client, terminal }: Session, words: string[], options: BriefOptions): Promise<ExitCode> {
  const query = words.join(' ')
  const { lens, limit } = options
  const wanted = new URLSearchParams({
    ...(query === '' ? {} : { query }),
    ...(lens === undefined ? {} : { lens }),
    ...(limit === undefined ? {} : { limit: String(limit) }),
  })
  const service = client()
  const answer = await service.call<BriefOutput>({ method: 'GET', path: `/v1/context/brief?${wanted}` })
  if (terminal.json) {
    terminal.printJson(answer)
    return exitCodes.ok
  }
  terminal.print(markdownOn(terminal, withCited(answer)))
  const open = answer.open_questions.length
  if (open > 0) terminal.note(`\n${await openText(open, query, service)} \`precedent questions\` shows how to answer.`)
  return exitCodes.ok
}

/** A brief has at most ten questions, so ten of them don't tell how many there are. */
async function openText(shown: number, query: string, service: Client): Promise<string> {
  const isCut = shown >= mostQuestions
  if (query !== '') return `${isCut ? 'At least ' : ''}${count(shown, 'open question')} about this.`
  if (!isCut) return `${count(shown, 'open question')}.`
  const all = await unlessFailed(countOpen(service))
  if (all === undefined) return `At least ${count(shown, 'open question')}.`
  const { counted, hasMore } = all
  if (counted <= shown && !hasMore) return `${count(shown, 'open question')}.`
  const many = count(Math.max(counted, shown), 'open question')
  return `${shown} of ${hasMore ? 'more than ' : ''}${many}; \`precedent questions list\` shows all.`
}
