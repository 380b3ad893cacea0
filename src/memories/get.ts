/** memory.get: one memory with its chain of corrections (SEMANTICS 7). */
import { z } from 'zod'
import { plannedSuccessors, sourceResponse, supersededClaims } from '../context/schema.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery } from '../operation.ts'
import { answerResponse, answersOn } from '../questions/answers.ts'
import { memoryOf } from '../records/present/memories.ts'
import { recordReader } from '../records/read/reader.ts'
import { noSuch } from '../records/read/visible.ts'
import { instant, text, uri, uuid, visibility } from '../validation/schema.ts'
import { memoryKinds } from './input.ts'

const inChain = z.strictObject({
  id: uuid,
  kind: z.string().min(1),
  title: text(1, 500),
  excerpt: z.string().describe('The beginning of its content.'),
  occurred_at: instant,
  recorded_at: instant,
})

export const getMemoryInput = z.strictObject({ id: uuid.describe('The id of the memory.') })

export const getMemoryOutput = z.strictObject({
  id: uuid,
  kind: z.enum(memoryKinds),
  title: text(1, 500),
  content: z.string(),
  topics: z.array(z.string()),
  occurred_at: instant,
  confirmed_at: instant
    .exactOptional()
    .describe('When it was last confirmed: written again, or confirmed by an answer.'),
  url: uri.exactOptional(),
  in_force: z.boolean(),
  valid_to: instant.exactOptional().describe('When it ceased to be in force.'),
  visibility,
  recorded_at: instant,
  updated_at: instant,
  sources: z.array(sourceResponse),
  superseded_by: z.array(sourceResponse).describe('The records that supersede it, the earliest first.'),
  planned_successors: plannedSuccessors,
  superseded_claims: supersededClaims,
  corrects_memory_id: uuid.exactOptional(),
  corrected_by: z.array(inChain).describe('What supersedes it, directly or transitively; the nearest first.'),
  corrects: z.array(inChain).describe('What it supersedes, directly or transitively; newest first.'),
  answers: z
    .array(answerResponse)
    .describe('The answers to questions about it, with who answered and how; the latest first.'),
})
export type MemoryShown = z.output<typeof getMemoryOutput>

export const getMemory = defineQuery<z.output<typeof getMemoryInput>, MemoryShown>({
  name: 'memory.get',
  scope: 'context:read',
  summary: 'One memory with its chain of corrections.',
  input: getMemoryInput,
  output: getMemoryOutput,

  async run({ input, actor, reads }) {
    const reader = recordReader(reads.documents, actor, reads.clock)
    const id = input.id as RecordId
    const record = (await reader.records([id])).get(id)
    if (record?.kind !== 'memory') throw noSuch('memory')
    const memory = await memoryOf(record, { reader, publicUrl: reads.publicUrl })
    return { ...memory, answers: await answersOn(record, reader, reads.documents) }
  },
})
