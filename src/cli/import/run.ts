/** Runs an import, from its first row to the end of its last receipt. */
import type { ImportedItem, ImportedRow } from '../../import/files/reading.ts'
import { Failure } from '../terminal/failure.ts'
import type { Progress } from '../terminal/progress.ts'
import { count } from '../terminal/terminal.ts'
import { type DecisionsSent, decisionSender, type Sending } from './decisions.ts'
import { existingDecisions } from './existing-decisions.ts'
import { type FindingsCollector, type Found, findingsCollector } from './found.ts'
import type { ImportSource } from './import-source.ts'
import { type MemoriesSent, memorySender, type SendableMemory } from './memories.ts'
import { type OutcomesSent, outcomeSender } from './outcomes.ts'
import { type TasksSent, taskSender } from './tasks.ts'

export interface Imported {
  found: Found
  decisions: DecisionsSent
  /** Decisions of an export that are already in this store. */
  alreadyThere: number
  memories: MemoriesSent
  tasks: TasksSent
  outcomes: OutcomesSent
}

/** Rows, and bytes of their texts, that are held in memory. */
const rowsAtOnce = 10_000
const bytesAtOnce = 64 * 1024 * 1024

/** Throws Failure; its details say how many records were sent before. */
export async function runImport(
  source: ImportSource,
  sending: Omit<Sending, 'onProgress'>,
  progress: Progress,
): Promise<Imported> {
  const findings = findingsCollector(source.name, source.format)
  const endedSoFar = () => alreadyThere + decisions.ended() + memories.ended() + tasks.ended()
  const onProgress = () => progress.update(sending.wait ? endedSoFar() : sentSoFar(), besides())
  const outcomes = outcomeSender({ ...sending, onProgress })
  const decisions = decisionSender({ ...sending, onProgress }, outcomes.record)
  const memories = memorySender({ ...sending, onProgress })
  const tasks = taskSender({ ...sending, onProgress })
  const sentSoFar = () => alreadyThere + decisions.sent() + memories.sent() + tasks.sent()
  const besides = () => {
    const told = outcomes.sent.recorded > 0 ? [count(outcomes.sent.recorded, 'outcome')] : []
    return [...(sending.wait ? [`${sentSoFar().toLocaleString('en')} sent`] : []), ...told].join(', ')
  }
  let alreadyThere = 0
  let number = 0
  try {
    for await (const rows of chunks(source.rows, findings)) {
      const items = rows.filter((row): row is Extract<ImportedRow, { kind: 'decision' }> => row.kind === 'decision')
      const { missing, ids } = await existingDecisions(items, sending.client)
      const wanted = new Set(missing)
      alreadyThere += items.length - wanted.size
      await decisions.send(items.map((item) => ({ ...sendable(item), isThere: !wanted.has(item) })))
      await outcomes.record(
        items.flatMap((item) => {
          const decision = wanted.has(item) || item.outcomes.length === 0 ? undefined : ids.get(item.id ?? '')
          return decision === undefined ? [] : [{ ...place(item), decision, outcomes: item.outcomes }]
        }),
      )
      const remembered: SendableMemory[] = rows.flatMap((row) =>
        row.kind === 'memory' ? [{ ...place(row), input: row.memory, number: number++ }] : [],
      )
      await memories.send(remembered)
      tasks.keep(rows.flatMap((row) => (row.kind === 'task' ? [{ ...place(row), task: row.task }] : [])))
    }
    const ended = { decisions: await decisions.finish(), memories: await memories.finish() }
    // tasks name decisions, so they come last
    const done = await tasks.finish(ended.decisions.batchIds)
    return { found: findings.found(), alreadyThere, ...ended, tasks: done, outcomes: outcomes.sent }
  } catch (error) {
    decisions.stop()
    if (!(error instanceof Failure)) throw error
    throw error.with({ details: { sent: sentSoFar() } })
  }
}

/**
 * Chunks of decisions, memories and tasks. All lines of one decision are in the same chunk. All rows are added to `findings`.
 */
async function* chunks(rows: AsyncIterable<ImportedRow>, findings: FindingsCollector): AsyncGenerator<ImportedRow[]> {
  let chunk: ImportedRow[] = []
  let bytes = 0
  let lastId: string | undefined
  for await (const row of rows) {
    findings.add(row)
    if (row.kind === 'note' || row.kind === 'not_decision') continue
    const isFull = chunk.length >= rowsAtOnce || bytes >= bytesAtOnce
    if (isFull && (row.id === undefined || row.id !== lastId)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(row)
    bytes += textLength(row)
    lastId = row.id
  }
  if (chunk.length > 0) yield chunk
}

/** Approximately. */
function textLength(row: Extract<ImportedRow, { kind: 'decision' | 'memory' | 'task' }>): number {
  if (row.kind === 'memory') return row.memory.content.length
  if (row.kind === 'task') return row.task.description?.length ?? 0
  const notes = row.outcomes.map(({ outcome_notes }) => outcome_notes?.length ?? 0)
  return notes.reduce((sum, one) => sum + one, row.decision.judgment.length)
}

function sendable({ file, line, decision, outcomes }: ImportedItem) {
  const { external_id = '' } = decision
  return {
    file,
    line,
    outcomes,
    external_id,
    input: decision,
    bytes: new TextEncoder().encode(JSON.stringify(decision)).length,
  }
}

function place({ file, line, id }: { file: string; line: number; id?: string }) {
  return { file, line, ...(id === undefined ? {} : { id }) }
}
