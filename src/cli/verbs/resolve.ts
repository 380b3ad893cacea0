/** `precedent resolve`: answers an open question. */
import type { Command } from 'commander'
import type { Visibility } from '../../records/audience.ts'
import type { Client } from '../client/client.ts'
import { textFrom } from '../client/input.ts'
import { namingKeys } from '../client/key-names.ts'
import { namesNothing, noSuch } from '../client/no-such.ts'
import { visibility } from '../client/options.ts'
import { briefOfQuestion } from '../client/questions.ts'
import { printRecord, readBack, unlessFailed } from '../client/read-back.ts'
import type { ReceiptResponse } from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import { addWriteOptions, type WriteOptions, write } from '../client/write.ts'
import { answeredText } from '../terminal/answered.ts'
import { type ExitCode, Failure, usage } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface AnswerOptions {
  confirm?: boolean
  correct?: string
  answer?: string
  dismiss?: boolean
  note?: string
  visibility?: Visibility
}
type ResolveOptions = AnswerOptions & WriteOptions

const resolutions = ['confirm', 'correct', 'answer', 'dismiss'] as const
type Resolution = (typeof resolutions)[number]

export function addResolve(program: Command, act: Act): void {
  const command = program
    .command('resolve')
    .argument('<question>', 'id of the question; `precedent questions` shows it')
    .description('answer an open question with one of --confirm, --correct, --answer and --dismiss')
  addWriteOptions(addAnswerOptions(command)).action(act(resolve))
}

/** The options that say what the answer is. */
export function addAnswerOptions(command: Command): Command {
  return command
    .option('--confirm', 'the claim is true; a proposal is accepted; of two claims, the first one holds')
    .option('--correct <text>', 'the text that replaces the claim; - reads it from standard input')
    .option('--answer <text>', 'the answer; - reads it from standard input')
    .option('--dismiss', 'do not ask again; a proposal is rejected')
    .option('--note <text>', 'the reason, with --confirm or --dismiss')
    .option(
      '--visibility <who>',
      'who sees the answer: workspace, private or team:UUID, as far as the question allows',
      visibility,
    )
}

/** The body of context.resolve without the question. Throws Failure unless exactly one answer is given. */
export async function answerOf(session: Session, options: AnswerOptions) {
  const resolution = resolutionOf(options)
  return { resolution, note: await noteOf(session, resolution, options), visibility: options.visibility }
}

async function resolve(session: Session, question: string, options: ResolveOptions): Promise<ExitCode> {
  const answer = await answerOf(session, options)
  const { resolution } = answer
  const body = { question_id: question, ...answer }
  // read before the answer closes it; answers to some questions replace nothing
  const open = session.terminal.json ? undefined : await unlessFailed(briefOfQuestion(session.client(), question))
  const answered = {
    question_id: question,
    ...(open?.question?.reason === undefined ? {} : { reason: open.question.reason }),
  }
  const written = write(session, { path: '/v1/context/resolve', body }, options, async (receipt, client) => {
    session.terminal.note(answeredText(answered, answer))
    if (resolution === 'correct' || resolution === 'answer') await printAudience(receipt, client, session.terminal)
    printRecord(receipt, session.terminal)
  })
  return written.catch(async (error: unknown) => {
    if (!(error instanceof Failure)) throw error
    if (namesNothing(error, 'question_id')) throw noSuch('question', question)
    throw error.with({ message: await namingKeys(session.client())(error.message) })
  })
}

/** Tells who sees the record that was made from the answer, if the key may read it. */
async function printAudience(receipt: ReceiptResponse, client: Client, terminal: Terminal): Promise<void> {
  const made = await readBack<{ visibility: Visibility }>(receipt, client)
  if (made) terminal.note(`It is seen by ${audiences[made.visibility.scope]}.`)
}

const audiences = { workspace: 'everyone in the workspace', team: 'the team', private: 'you alone' } as const

function resolutionOf(options: AnswerOptions): Resolution {
  const [resolution, ...others] = resolutions.filter((one) => options[one] !== undefined)
  if (resolution && others.length === 0) return resolution
  throw usage(
    resolution ? `--${resolution} and --${others[0]} cannot be combined.` : 'No answer is given.',
    'Use one of --confirm, --correct TEXT, --answer TEXT and --dismiss.',
  )
}

async function noteOf(session: Session, resolution: Resolution, options: AnswerOptions): Promise<string | undefined> {
  const { note } = options
  if (resolution === 'confirm' || resolution === 'dismiss') {
    return note === undefined ? undefined : textFrom(session, note, '--note')
  }
  if (note !== undefined) throw usage(`--note cannot be combined with --${resolution}, because the text is the note.`)
  return textFrom(session, options[resolution] as string, `--${resolution}`)
}
