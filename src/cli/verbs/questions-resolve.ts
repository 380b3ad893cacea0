/** `precedent questions resolve`: gives many questions the same answer. */
import type { Command } from 'commander'
import { v4 } from 'uuid'
import type { ListedQuestion } from '../../questions/list.ts'
import { type Client, longRetries } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { fromStandardInput, standardInput, textOfFile } from '../client/input.ts'
import { namingKeys } from '../client/key-names.ts'
import { namesNothing, noSuch } from '../client/no-such.ts'
import { anyText, repeated } from '../client/options.ts'
import { openQuestions } from '../client/questions.ts'
import { isOpen, type ReceiptResponse, receiptWithId } from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import type { GivenAnswer } from '../terminal/answered.ts'
import { type ExitCode, exitCodes, Failure, usage } from '../terminal/failure.ts'
import { count, inLine } from '../terminal/terminal.ts'
import { lineOf, noteCut } from './questions-list.ts'
import { type AnswerOptions, addAnswerOptions, answerOf } from './resolve.ts'

interface BulkOptions extends AnswerOptions {
  id?: string[]
  file?: string
  dryRun?: boolean
}

/** Answers sent at the same time. */
const atOnce = 4
/** Seconds. The service delays its answer, and each read of a receipt, until the answer is applied. */
const wait = 10
/** Reads of a receipt that is still open. */
const mostReads = 6
const longestId = 200

export function addResolveQuestions(questions: Command, act: Act): void {
  const command = questions
    .command('resolve')
    .description('give several open questions the same answer; those that are closed are reported and left as they are')
    .option('--id <question>', 'id of a question; may be repeated', repeated(anyText))
    .option('--file <path>', 'file with an id at the beginning of each line; - reads standard input')
    .option('--dry-run', 'only print the questions that would be answered')
  addAnswerOptions(command).action(act(resolveAll))
}

async function resolveAll(session: Session, options: BulkOptions): Promise<ExitCode> {
  const answer = await answerOf(session, options)
  const ids = await idsOf(session, options)
  return options.dryRun ? preview(session, ids, answer.resolution) : send(session, ids, answer)
}

/** Lines that are empty or begin with # are left out, and so is what follows an id after a space or a tab. */
async function idsOf(session: Session, { id = [], file, ...texts }: BulkOptions): Promise<string[]> {
  if (file === standardInput && [texts.correct, texts.answer, texts.note].includes(standardInput)) {
    throw usage('Standard input cannot be both the ids and the text.')
  }
  const text =
    file === undefined ? '' : file === standardInput ? await fromStandardInput(session) : await textOfFile(file)
  const lines = text.split(/\r?\n/).map((line) => line.trim().split(/\s/, 1)[0] ?? '')
  const ids = [...new Set([...id, ...lines.filter((line) => line !== '' && !line.startsWith('#'))])]
  if (ids.length === 0) throw usage('No question is named.', 'Use --id ID or --file PATH.')
  const wrong = ids.find((one) => one.length > longestId || !/^(?:fact|judgment|clarification):/.test(one))
  if (wrong !== undefined) {
    throw usage(
      `“${inLine(wrong.slice(0, longestId))}” is not the id of a question.`,
      '`precedent questions list` shows ids.',
    )
  }
  return ids
}

async function preview(
  { client, terminal }: Session,
  ids: readonly string[],
  resolution: GivenAnswer['resolution'],
): Promise<ExitCode> {
  const open = new Map<string, ListedQuestion>()
  const wanted = new Set(ids)
  for await (const question of openQuestions(client(longRetries))) {
    if (wanted.has(question.question_id)) open.set(question.question_id, question)
    if (open.size === ids.length) break
  }
  const questions = [...open.values()]
  const closed = ids.filter((id) => !open.has(id))
  if (terminal.json) terminal.printJson({ dry_run: true, open: questions, closed })
  else {
    for (const question of questions) terminal.print(lineOf(question))
    noteCut(questions, terminal)
    for (const id of closed) terminal.note(`${inLine(id)}: it is closed, or it does not exist`)
    const effects = effectsOnProposals(questions, resolution)
    terminal.note(`Would answer ${[count(questions.length, 'question'), ...effects].join(', ')}. Nothing was changed.`)
  }
  return closed.length === 0 ? exitCodes.ok : exitCodes.failed
}

/** What the answer would do to proposals. One question may name many, and its line shows only the first of them. */
function effectsOnProposals(questions: readonly ListedQuestion[], resolution: GivenAnswer['resolution']): string[] {
  const single = questions.filter(({ question_id }) => question_id.startsWith('judgment:')).length
  const old = questions.reduce((sum, { proposals = 0 }) => sum + proposals, 0)
  if (resolution === 'confirm') {
    return [
      ...(single === 0 ? [] : [`accept ${count(single, 'proposal')}`]),
      ...(old === 0 ? [] : [`keep ${count(old, 'old proposal')} open`]),
    ]
  }
  if (single + old === 0) return []
  return [`${resolution === 'dismiss' ? 'reject' : 'replace'} ${count(single + old, 'proposal')}`]
}

interface Answered {
  question_id: string
  /** `refused`: no answer was accepted. */
  state: ReceiptResponse['state'] | 'refused'
  error?: { code: string; message: string }
}

async function send(session: Session, ids: readonly string[], answer: object): Promise<ExitCode> {
  const { terminal } = session
  const client = session.client(longRetries)
  const named = namingKeys(client)
  const results: Answered[] = []
  await forEachConcurrent(ids, atOnce, async (id) => {
    const result = await answered(client, { question_id: id, ...answer })
    results.push(result)
    if (terminal.json) return
    if (result.state === 'applied') terminal.print(inLine(id))
    else {
      const message = result.error?.message ?? 'accepted, but not applied yet; it is not lost'
      terminal.note(`${inLine(id)}: ${inLine(await named(message))}`)
    }
  })
  const failed = results.filter(({ state }) => state !== 'applied').length
  if (terminal.json) terminal.printJson({ results })
  else terminal.note(`Answered ${count(results.length - failed, 'question')}${failed === 0 ? '' : `; ${failed} not`}.`)
  return failed === 0 ? exitCodes.ok : exitCodes.failed
}

/** A question that is closed must not keep the others from being answered. Throws if the service or the key fails. */
async function answered(client: Client, body: { question_id: string }): Promise<Answered> {
  const { question_id } = body
  const call = { method: 'POST', path: '/v1/context/resolve', body, wait, idempotencyKey: `cli-${v4()}` } as const
  try {
    let receipt = await client.call<ReceiptResponse>(call)
    for (let reads = 0; isOpen(receipt) && reads < mostReads; reads++) {
      receipt = await receiptWithId(client, receipt.receipt_id, wait)
    }
    const { state, error } = receipt
    return { question_id, state, ...(error ? { error: { code: error.code, message: error.message } } : {}) }
  } catch (error) {
    if (!(error instanceof Failure) || error.exit !== exitCodes.failed) throw error
    const { code, message } = namesNothing(error, 'question_id') ? noSuch('question', question_id) : error
    return { question_id, state: 'refused', error: { code, message } }
  }
}
