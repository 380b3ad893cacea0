/** An import from its first row to the end of its last receipt. */
import type { ImportedRow } from '../../import/read.ts'
import type { ImportedItem } from '../../import/reading.ts'
import { Failure } from '../failure.ts'
import type { Progress } from '../progress.ts'
import { type DecisionsSent, decisionSender, type Sending } from './decisions.ts'
import { type Finding, type Found, finding } from './found.ts'
import { type MemoriesSent, memorySender, type SendableMemory } from './memories.ts'
import { missing } from './present.ts'
import type { ImportSource } from './source.ts'

export interface Imported {
  found: Found
  decisions: DecisionsSent
  /** Of an export: are in this store under the ids that they had. */
  there: number
  memories: MemoriesSent
}

/** Rows that are held at a time. */
const rowsAtOnce = 10_000
const bytesAtOnce = 64 * 1024 * 1024

/** Throws Failure; then `details` says how many were accepted before. */
export async function runImport(
  source: ImportSource,
  sending: Omit<Sending, 'moved'>,
  progress: Progress,
): Promise<Imported> {
  const finds = finding(source.name, source.format)
  const moved = () => progress.update(there + decisions.ended() + memories.ended(), besides())
  const decisions = decisionSender({ ...sending, moved })
  const memories = memorySender({ ...sending, moved })
  const sentSoFar = () => there + decisions.sent() + memories.sent()
  const besides = () => (sending.wait ? `${sentSoFar().toLocaleString('en')} sent` : '')
  let there = 0
  let number = 0
  try {
    for await (const rows of chunks(source.rows, finds)) {
      const items = rows.filter((row): row is Extract<ImportedRow, { kind: 'decision' }> => row.kind === 'decision')
      const wanted = new Set(await missing(items, sending.client))
      there += items.length - wanted.size
      await decisions.send(items.map((item) => ({ ...sendable(item), isThere: !wanted.has(item) })))
      const remembered: SendableMemory[] = rows.flatMap((row) =>
        row.kind === 'memory' ? [{ ...place(row), input: row.memory, number: number++ }] : [],
      )
      await memories.send(remembered)
    }
    return { found: finds.found(), decisions: await decisions.finish(), there, memories: await memories.finish() }
  } catch (error) {
    decisions.stop()
    if (!(error instanceof Failure)) throw error
    throw error.with({ details: { sent: sentSoFar() } })
  }
}

/** Of decisions and memories; all lines of one decision are in one. The rest goes to `finds` alone. */
async function* chunks(rows: AsyncIterable<ImportedRow>, finds: Finding): AsyncGenerator<ImportedRow[]> {
  let chunk: ImportedRow[] = []
  let bytes = 0
  let lastId: string | undefined
  for await (const row of rows) {
    finds.add(row)
    if (row.kind !== 'decision' && row.kind !== 'memory') continue
    const isFull = chunk.length >= rowsAtOnce || bytes >= bytesAtOnce
    if (isFull && (row.id === undefined || row.id !== lastId)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(row)
    bytes += row.kind === 'memory' ? row.memory.content.length : row.decision.judgment.length
    lastId = row.id
  }
  if (chunk.length > 0) yield chunk
}

function sendable({ file, line, decision }: ImportedItem) {
  const { external_id = '' } = decision
  return { file, line, external_id, input: decision, bytes: Buffer.byteLength(JSON.stringify(decision)) }
}

function place({ file, line, id }: { file: string; line: number; id?: string }) {
  return { file, line, ...(id === undefined ? {} : { id }) }
}
