/** The input of context.remember (specification 4). */
import { z } from 'zod'
import { idempotencyKey, instant, listOf, sourceReference, text, uuid, visibility } from '../validation/schema.ts'

export const memoryKinds = ['fact', 'constraint', 'commitment', 'correction', 'session_outcome'] as const

export const rememberInput = z
  .strictObject({
    kind: z.enum(memoryKinds).describe('What the memory is. A correction replaces the memory in corrects_memory_id.'),
    content: text(1, 200_000).describe('The text of the memory, as plain text or Markdown.'),
    idempotency_key: idempotencyKey.exactOptional(),
    title: text(1, 300).exactOptional().describe('A short title. Left out: the beginning of the content.'),
    topics: listOf(text(1, 100), 30).describe('Words under which the memory is to be found.'),
    occurred_at: instant.exactOptional().describe('Since when it holds. Left out: since the service accepted it.'),
    visibility: visibility
      .exactOptional()
      .describe('Who sees the memory. Left out: workspace, or private in a personal workspace.'),
    sources: listOf(sourceReference).describe('Where the content comes from.'),
    corrects_memory_id: uuid
      .exactOptional()
      .describe('The memory that this one corrects. Required for a correction, and only allowed there.'),
  })
  .check((context) => {
    const { kind, corrects_memory_id } = context.value
    if ((kind === 'correction') === (corrects_memory_id !== undefined)) return
    context.issues.push({
      code: 'custom',
      path: ['corrects_memory_id'],
      message:
        kind === 'correction'
          ? 'is required for a correction: name the memory that it corrects'
          : 'only a correction names a memory: leave it out, or set kind to correction',
      input: corrects_memory_id,
    })
  })

export type RememberInput = z.infer<typeof rememberInput>
