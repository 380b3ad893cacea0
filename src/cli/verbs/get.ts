/** `precedent get`: shows a memory, a decision, a receipt or an open question by its id. */
import type { Command } from 'commander'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import type { MemoryShown } from '../../memories/get.ts'
import type { OpenQuestion } from '../../questions/schema.ts'
import { uuidPattern } from '../../records/ids.ts'
import type { Client } from '../client.ts'
import { type ExitCode, exitCodes, Failure, usage } from '../failure.ts'
import { questionLines } from '../questions.ts'
import { type ReceiptResponse, receiptLine, receiptWithId } from '../receipts.ts'
import { decisionText, memoryText } from '../record-text.ts'
import type { Act, Session } from '../session.ts'
import type { Terminal } from '../terminal.ts'

type Found =
  | { type: 'memory'; body: MemoryShown }
  | { type: 'decision'; body: DecisionGetOutput }
  | { type: 'receipt'; body: ReceiptResponse }
  | { type: 'question'; body: OpenQuestion; brief: string }

export function addGet(program: Command, act: Act): void {
  program
    .command('get')
    .argument('<id>', 'the id of a memory, a decision, a receipt or an open question')
    .description('show one memory, decision, receipt or open question')
    .action(act(get))
}

async function get({ client, terminal }: Session, id: string): Promise<ExitCode> {
  const found = await find(client(), id)
  if (terminal.json) terminal.printJson({ type: found.type, ...found.body })
  else terminal.print(textOf(found, terminal))
  return exitCodes.ok
}

function find(client: Client, id: string): Promise<Found> {
  if (uuidPattern.test(id)) return recordOrReceipt(client, id)
  if (/^(?:judgment|clarification):/.test(id)) return openQuestion(client, id)
  throw usage(`“${id}” is not an id.`, '`precedent search` and `precedent questions` show ids.')
}

/** An id does not tell what it belongs to. A receipt comes last, because people ask for records more often. */
async function recordOrReceipt(client: Client, id: string): Promise<Found> {
  const memory = await unlessNotFound(client.call<MemoryShown>({ method: 'GET', path: `/v1/context/memories/${id}` }))
  if (memory) return { type: 'memory', body: memory }
  const decision = await unlessNotFound(client.call<DecisionGetOutput>({ method: 'GET', path: `/v1/decisions/${id}` }))
  if (decision) return { type: 'decision', body: decision }
  const receipt = await unlessNotFound(receiptWithId(client, id))
  if (receipt) return { type: 'receipt', body: receipt }
  throw new Failure('failed', 'not_found', `There is no memory, decision or receipt with the id ${id}.`, {
    remedy: 'It does not exist, or your key may not see it.',
  })
}

/** Questions have no address of their own: the brief lists them. */
async function openQuestion(client: Client, id: string): Promise<Found> {
  const { open_questions, markdown } = await client.call<{ open_questions: OpenQuestion[]; markdown: string }>({
    method: 'GET',
    path: '/v1/context/brief?limit=20',
  })
  const body = open_questions.find(({ question_id }) => question_id === id)
  if (body) return { type: 'question', body, brief: markdown }
  throw new Failure('failed', 'not_found', `${id} is not among the most urgent open questions.`, {
    remedy: 'It may be answered, or less urgent: `precedent questions TOPIC` lists the questions about a topic.',
  })
}

async function unlessNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined
    throw error
  }
}

function textOf(found: Found, terminal: Terminal): string {
  if (found.type === 'memory') return memoryText(found.body, terminal)
  if (found.type === 'decision') return decisionText(found.body, terminal)
  if (found.type === 'question') return questionLines([found.body], terminal, found.brief)
  return receiptLine(found.body)
}
