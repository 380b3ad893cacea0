/** get_record: any id or citation url, whole, with its chain. */
import { z } from 'zod'
import { brief } from '../../context/brief/brief.ts'
import { oneLine } from '../../context/brief/text/in-line.ts'
import { whichRecord } from '../../context/which-record.ts'
import { getDecision } from '../../decisions/get.ts'
import type { DecisionGetOutput } from '../../decisions/schema.ts'
import { getMemory, type MemoryShown } from '../../memories/get.ts'
import { Problem, problem } from '../../problem.ts'
import { getReceipt } from '../../receipts/get.ts'
import type { ReceiptResponse } from '../../receipts/present.ts'
import { getTask } from '../../tasks/get.ts'
import type { GetTaskOutput } from '../../tasks/schema.ts'
import { characters } from '../../validation/schema.ts'
import { validated } from '../../validation/validated.ts'
import { taskText } from '../base/task-text.ts'
import { decisionText, memoryText } from '../base/text.ts'
import { type Caller, ownReadTool, type Result, shownReceipt } from '../base/tool.ts'

const input = z.strictObject({
  id: characters(1, 2000).describe(
    'The id or url of a decision, memory or task, as in citations; of an outcome; of an open question; or of a receipt.',
  ),
})

/** The answers of other calls, told in short: their whole schemas would take a quarter of the list of tools. */
const shown = z.looseObject({ id: z.string() })

const output = z.strictObject({
  type: z.enum(['decision', 'memory', 'task', 'question', 'receipt']),
  decision: shown.extend({ title: z.string(), judgment: z.string(), in_force: z.boolean() }).exactOptional(),
  memory: shown.extend({ title: z.string(), content: z.string(), in_force: z.boolean() }).exactOptional(),
  task: shown.extend({ name: z.string(), status: z.string(), revision: z.int() }).exactOptional(),
  question: z.strictObject({ question_id: z.string(), markdown: z.string() }).exactOptional(),
  receipt: shownReceipt.exactOptional(),
})

interface Output {
  type: z.output<typeof output>['type']
  decision?: DecisionGetOutput
  memory?: MemoryShown
  task?: GetTaskOutput
  question?: { question_id: string; markdown: string }
  receipt?: ReceiptResponse
}

export const getRecord = ownReadTool({
  name: 'get_record',
  title: 'Read one record',
  description:
    'Reads one decision or memory whole: its full text, what it replaced, what replaced it, how it worked out, and its sources. Use it before you rely on a record that a brief or a search shows only in part. It also shows a task with what bears on it (if the key has the scope tasks:read), an open question with the records that it is about, and the state of a write by its receipt_id.',
  isCore: true,
  scope: 'context:read',
  input,
  output,
  async call(args, caller) {
    const { structured, text } = await recordOf(idIn(validated(input, args).id), caller, 'search_context')
    return { text, structured }
  },
})

/** The record with this id. Throws not_found, which names the tool `finder`. */
export async function recordOf(id: string, caller: Caller, finder: string): Promise<Result & { structured: Output }> {
  const { kind, id: record } = await caller.query(whichRecord, { id })
  switch (kind) {
    case 'decision': {
      const decision = await caller.query(getDecision, { id: record })
      return { text: decisionText(decision), structured: { type: 'decision', decision } }
    }
    case 'memory': {
      const memory = await caller.query(getMemory, { id: record })
      return { text: memoryText(memory), structured: { type: 'memory', memory } }
    }
    case 'task': {
      const task = await caller.query(getTask, { id: record })
      return { text: taskText(task), structured: { type: 'task', task } }
    }
    case 'question': {
      const { markdown } = await caller.query(brief, { query: record })
      return { text: markdown, structured: { type: 'question', question: { question_id: record, markdown } } }
    }
    case 'unknown':
      return receiptOf(record, caller, finder)
  }
}

async function receiptOf(id: string, caller: Caller, finder: string): Promise<Result & { structured: Output }> {
  try {
    const receipt = await caller.query(getReceipt, { id })
    const { operation, state, error, entity } = receipt
    const end = error === undefined ? (entity?.id ?? '') : `${error.code}: ${error.message}`
    return { text: oneLine(`Receipt of ${operation}: ${state}. ${end}`), structured: { type: 'receipt', receipt } }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
    throw problem('not_found', `id: there is no record with this id that you may see. ${finder} finds records.`)
  }
}

/** Of a url the last part of its path: urls of records end with their ids. */
function idIn(idOrUrl: string): string {
  if (!/^[a-z]+:\/\//i.test(idOrUrl) || !URL.canParse(idOrUrl)) return idOrUrl
  const last = new URL(idOrUrl).pathname.split('/').filter(Boolean).at(-1) ?? idOrUrl
  return decoded(last).slice(0, 300)
}

/** A text that is not percent-encoded UTF-8 is no id: it is looked up as it is, and not found. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
