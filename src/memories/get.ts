/** One memory with its chain of corrections (SEMANTICS 7, memory.get). */
import { z } from 'zod'
import { shownSource, supersededClaims } from '../context/schema.ts'
import { defineQuery } from '../operation.ts'
import { problem } from '../problem.ts'
import { answersOn, shownAnswer } from '../questions/answers.ts'
import type { RecordId } from '../records/ids.ts'
import { memoryOf } from '../records/present-memories.ts'
import { recordReader } from '../records/read.ts'
import { instant, text, uri, uuid, visibility } from '../records/schema.ts'
import { memoryKinds } from './input.ts'

const inChain = z.strictObject({
  id: uuid,
  kind: z.string().min(1),
  title: text(1, 500),
  excerpt: z.string().describe('The beginning of its content.'),
  occurred_at: instant,
  recorded_at: instant,
})

export const getMemoryInput = z.strictObject({ id: uuid })

export const getMemoryOutput = z.strictObject({
  id: uuid,
  kind: z.enum(memoryKinds),
  title: text(1, 500),
  content: z.string(),
  topics: z.array(z.string()),
  occurred_at: instant,
  confirmed_at: instant.exactOptional().describe('When it was last said again.'),
  url: uri.exactOptional(),
  in_force: z.boolean(),
  valid_to: instant.exactOptional().describe('When it ceased to hold.'),
  visibility,
  recorded_at: instant,
  updated_at: instant,
  sources: z.array(shownSource),
  superseded_by: z.array(shownSource).describe('All that supersede it, the earliest first.'),
  superseded_claims: supersededClaims,
  corrects_memory_id: uuid.exactOptional(),
  corrected_by: z.array(inChain).describe('What supersedes it, directly or over others; the nearest first.'),
  corrects: z.array(inChain).describe('What it supersedes, directly or over others; newest first.'),
  answers: z.array(shownAnswer).describe('To questions about it: who gave them, how and why; the latest first.'),
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
    if (record?.kind !== 'memory') throw problem('not_found', 'There is no memory with this id.')
    const memory = await memoryOf(record, { reader, publicUrl: reads.publicUrl })
    return { ...memory, answers: await answersOn(record, reader, reads.documents) }
  },
})
