/** What context.remember takes (specification 4). */
import { z } from 'zod'
import { idempotencyKey, instant, listOf, sourceReference, text, uuid, visibility } from '../records/schema.ts'

export const memoryKinds = ['fact', 'constraint', 'commitment', 'correction', 'session_outcome'] as const

export const rememberInput = z
  .strictObject({
    kind: z.enum(memoryKinds),
    content: text(1, 200_000),
    idempotency_key: idempotencyKey.exactOptional(),
    title: text(1, 300).exactOptional(),
    topics: listOf(text(1, 100), 30),
    occurred_at: instant.exactOptional(),
    visibility: visibility.exactOptional(),
    sources: listOf(sourceReference),
    corrects_memory_id: uuid.exactOptional(),
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
