/** `precedent get`: shows a memory, a decision, a task, a receipt or an open question by its id. */
import type { Command } from 'commander'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { questionIdPattern, uuidPattern } from '../../ids.ts'
import type { MemoryShown } from '../../memories/get.ts'
import type { OpenQuestion } from '../../questions/schema.ts'
import type { GetTaskOutput } from '../../tasks/schema.ts'
import type { Client } from '../client/client.ts'
import { ifAllowed, ifFound } from '../client/if-allowed.ts'
import { noSuch } from '../client/no-such.ts'
import { briefOfQuestion } from '../client/questions.ts'
import { type ReceiptResponse, receiptLine, receiptWithId } from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, Failure, usage } from '../terminal/failure.ts'
import { questionLines } from '../terminal/questions.ts'
import { decisionText, memoryText } from '../terminal/record-text.ts'
import { taskText } from '../terminal/task-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

type Found =
  | { type: 'memory'; body: MemoryShown }
  | { type: 'decision'; body: DecisionGetOutput }
  | { type: 'task'; body: GetTaskOutput }
  | { type: 'receipt'; body: ReceiptResponse }
  | { type: 'question'; body: OpenQuestion; brief: string }

export function addGet(program: Command, act: Act): void {
  program
    .command('get')
    .argument('<id>', 'the id of a memory, a decision, a task, a receipt or an open question')
    .description('show one memory, decision, task, receipt or open question')
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
  if (questionIdPattern.test(id)) return openQuestion(client, id)
  throw usage(`“${id}” is not an id.`, '`precedent search` and `precedent questions` show ids.')
}

/** An id does not show the kind of its record, so all kinds are tried. Receipts come last, because few people ask for them. */
async function recordOrReceipt(client: Client, id: string): Promise<Found> {
  const memory = await ifFound(client.call<MemoryShown>({ method: 'GET', path: `/v1/context/memories/${id}` }))
  if (memory) return { type: 'memory', body: memory }
  const decision = await ifFound(client.call<DecisionGetOutput>({ method: 'GET', path: `/v1/decisions/${id}` }))
  if (decision) return { type: 'decision', body: decision }
  // keys for records need not have the scope of tasks
  const task = await ifAllowed(ifFound(client.call<GetTaskOutput>({ method: 'GET', path: `/api/v2/tasks/${id}` })))
  if (task) return { type: 'task', body: task }
  const receipt = await ifFound(receiptWithId(client, id))
  if (receipt) return { type: 'receipt', body: receipt }
  throw noSuch('memory, decision, task or receipt', id)
}

async function openQuestion(client: Client, id: string): Promise<Found> {
  const { question, brief } = await briefOfQuestion(client, id)
  if (question) return { type: 'question', body: question, brief }
  throw new Failure('failed', 'not_found', `There is no open question with the id ${id}.`, {
    remedy: 'It was answered, its record is no longer in force, or your key may not see it.',
  })
}

function textOf(found: Found, terminal: Terminal): string {
  if (found.type === 'memory') return memoryText(found.body, terminal)
  if (found.type === 'decision') return decisionText(found.body, terminal)
  if (found.type === 'task') return taskText(found.body, terminal)
  if (found.type === 'question') return questionLines([found.body], terminal, { brief: found.brief, isWhole: true })
  return receiptLine(found.body)
}
