/**
 * decision.import: many decisions in one call, in the import lane; each is accepted or refused by itself (SEMANTICS 7).
 */
import { createHash } from 'node:crypto'
import { v5 } from 'uuid'
import type { Actor } from '../access/actor.ts'
import { defineOperation, type Operation } from '../operation.ts'
import { inTurns } from '../ports/in-turns.ts'
import type { Lane } from '../ports/queue.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { invalid } from '../problem.ts'
import type { Accepted } from '../receipts/earlier.ts'
import { isLonger } from '../validation/schema.ts'
import { type DecisionInput, decisionBounds, decisionImportItem } from './input.ts'
import { recordDecision } from './record.ts'

/** Each item of a batch is one call of this operation: the same as decision.record, but in the import lane. */
export const importDecisions = defineOperation<DecisionInput>({
  ...recordDecision,
  name: 'decision.import',
  // no idempotency_key, because it is derived from the key of the batch
  input: decisionImportItem,
  summary: 'Records 1 to 1000 decisions; each is accepted or refused by itself.',
})

export const mostDecisions = 1000
/** Decisions accepted in one write. */
const writtenAtOnce = 250
const batchNamespace = '7c1c1f0e-4f5b-5d0a-9f0e-2a5d1f6f3b7e'

/** Bytes of the parsed decisions held in memory for one write. 250 decisions of usual size have fewer. */
const bytesAtOnce = 4 * 1024 * 1024

/** One decision as received. */
export interface ImportItem {
  bytes: number
  /** Parses it. Throws if it can't be parsed. */
  read(): unknown
}

export interface Imported {
  /** Derived from workspace, user and key, so that a retry gets the same id. */
  batch_id: string
  accepted: { index: number; external_id: string; receipt: Accepted }[]
  refused: { index: number; external_id: string | null; error: Error }[]
}

interface ImportCall {
  operation: Operation<DecisionInput>
  actor: Actor
  input: unknown
  idempotencyKey: string
  lane: Lane
  batchId: string
  externalId: string
}

type AcceptMany = (calls: readonly ImportCall[]) => Promise<(Accepted | Error)[]>

/** Throws EngineUnavailable for the whole batch. A retry with the same key continues where it stopped. */
export async function importBatch(
  acceptMany: AcceptMany,
  actor: Actor,
  key: string,
  items: readonly ImportItem[],
): Promise<Imported> {
  const batchId = v5([actor.workspace, actor.user, key].join('\n'), batchNamespace)
  const imported: Imported = { batch_id: batchId, accepted: [], refused: [] }
  const seen = new Set<string>()
  const turn = inTurns()
  let some: Indexed[] = []
  let bytes = 0
  for (const [index, item] of items.entries()) {
    await turn()
    const read = readItem(item)
    const externalId = 'input' in read ? externalIdOf(read.input) : null
    if ('error' in read || externalId === null || seen.has(externalId)) {
      const error = 'error' in read ? read.error : externalId === null ? missingId() : secondInBatch()
      imported.refused.push({ index, external_id: externalId, error })
      continue
    }
    seen.add(externalId)
    const idempotencyKey = itemKey(key, externalId)
    const call = { operation: importDecisions, actor, input: read.input, idempotencyKey, batchId, externalId }
    some.push({ index, call: { ...call, lane: 'import' } })
    bytes += item.bytes
    if (some.length < writtenAtOnce && bytes < bytesAtOnce) continue
    await acceptSome(acceptMany, some, imported)
    some = []
    bytes = 0
  }
  if (some.length > 0) await acceptSome(acceptMany, some, imported)
  imported.refused.sort((a, b) => a.index - b.index)
  return imported
}

interface Indexed {
  index: number
  call: ImportCall
}

async function acceptSome(acceptMany: AcceptMany, some: readonly Indexed[], imported: Imported): Promise<void> {
  const answers = await acceptMany(some.map(({ call }) => call))
  for (const [offset, answer] of answers.entries()) {
    const { index, call } = some[offset] as Indexed
    // an unavailable store is no refusal of the item: the caller must retry
    if (answer instanceof EngineUnavailable) throw answer
    if (answer instanceof Error) imported.refused.push({ index, external_id: call.externalId, error: answer })
    else imported.accepted.push({ index, external_id: call.externalId, receipt: answer })
  }
}

function readItem(item: ImportItem): { input: unknown } | { error: Error } {
  try {
    return { input: item.read() }
  } catch (error) {
    return { error: error as Error }
  }
}

/**
 * Derived from the batch's key and the external_id, so that an item keeps its receipt in a retry with other items. The
 * keys of one batch have a common prefix, so that the store writes them next to each other.
 */
function itemKey(key: string, externalId: string): string {
  return `import:${digest(key).slice(0, 16)}:${digest(JSON.stringify([key, externalId]))}`
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url')

function externalIdOf(input: unknown): string | null {
  if (input === null || typeof input !== 'object' || !('external_id' in input)) return null
  const id = input.external_id
  return typeof id === 'string' && id !== '' && !isLonger(id, decisionBounds.externalId) ? id : null
}

function missingId(): Error {
  return invalid('external_id', `each decision of an import needs one, of 1 to ${decisionBounds.externalId} characters`)
}

function secondInBatch(): Error {
  return invalid('external_id', 'appears earlier in this batch: send each decision once')
}
