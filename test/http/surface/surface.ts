/** A small API for tests: notes with revisions. It uses the features of routes that no call of v1 uses. */
import { z } from 'zod'
import { listFields, listOutput, openList } from '../../../src/access/list.ts'
import { nothingChanged } from '../../../src/deciding/outcome.ts'
import { read, write } from '../../../src/http/base/route.ts'
import type { ApiDocument } from '../../../src/http/docs/openapi/describe.ts'
import { defineOperation, defineQuery, type Operation } from '../../../src/operation.ts'
import { operationsByName } from '../../../src/operations.ts'
import { problem } from '../../../src/problem.ts'
import { ifRevision, text, uuid } from '../../../src/validation/schema.ts'

export const noteId = '0192d59f-0a11-7c22-8d33-4e445f556a66'
/** What the apply worker decided, in order. */
export const decided: unknown[] = []
let revision = 1
export const currentRevision = () => revision

const patchInput = z.strictObject({
  id: uuid.describe('The id of the note.'),
  if_revision: ifRevision,
  title: text(1, 100).exactOptional(),
})

/** Decides by the revision alone: if two callers send the same one, one of them loses. */
const patchNote = defineOperation<z.infer<typeof patchInput>>({
  name: 'note.patch',
  scope: 'context:write',
  summary: 'Changes a note.',
  raisesQuestions: false,
  input: patchInput,
  texts: () => [],
  async decide({ input }) {
    if (input.if_revision !== undefined && input.if_revision !== revision) {
      throw problem('revision_conflict', 'The note has changed since you read it.')
    }
    revision += 1
    decided.push(input)
    return nothingChanged
  },
})

const commentInput = z.strictObject({ id: uuid, body: text(1, 1_000) })
const comment = defineOperation<z.infer<typeof commentInput>>({
  name: 'note.comment',
  scope: 'context:write',
  summary: 'Comments on a note.',
  raisesQuestions: false,
  input: commentInput,
  texts: () => [],
  async decide({ input }) {
    decided.push(input)
    return nothingChanged
  },
})

for (const operation of [patchNote, comment]) {
  ;(operationsByName as Map<string, Operation<never>>).set(operation.name, operation as unknown as Operation<never>)
}

const getNote = defineQuery<{ id: string }, { id: string; revision: number; enrichment: number }>({
  name: 'note.get',
  scope: 'context:read',
  summary: 'One note.',
  input: z.strictObject({ id: uuid }),
  output: z.strictObject({ id: z.string(), revision: z.int(), enrichment: z.number() }),
  run: async ({ input }) => ({ id: input.id, revision, enrichment: Math.random() }),
})

const listInput = z.strictObject({
  ...listFields,
  status: z
    .array(z.enum(['open', 'done', 'none']))
    .max(50)
    .exactOptional()
    .describe('Its status.'),
  label: z.array(text(1, 100)).max(50).exactOptional().describe('One of its labels.'),
  parent_id: z.array(uuid).max(50).exactOptional().describe('The note above it.'),
  priority: z.array(z.int()).max(50).exactOptional().describe('Its priority.'),
  q: text(1, 100).exactOptional().describe('Words.'),
})
const listed = z.strictObject({ number: z.int(), asked: z.unknown() })

/** Lists the numbers from 0 to 9, each with the filters of the call. */
const listNotes = defineQuery<z.infer<typeof listInput>, z.infer<ReturnType<typeof listOutput<typeof listed>>>>({
  name: 'note.list',
  scope: 'context:read',
  summary: 'Notes.',
  input: listInput,
  output: listOutput(listed),
  async run({ input, actor, reads }) {
    const { limit, cursor: _, ...asked } = input
    const list = openList<number>(reads, actor, 'note.list', input)
    const from = list.position ?? 0
    const numbers = Array.from({ length: 10 }, (_, number) => number).slice(from, from + limit)
    // the last page has a cursor too
    return list.page(
      numbers.map((number) => ({ number, asked })),
      from + numbers.length,
      from + numbers.length < 10,
    )
  },
})

export const notes: ApiDocument = {
  name: 'notes',
  title: 'Notes',
  describe: () => 'Notes of the tests.',
  version: '2.0.0',
  path: '/api/notes/openapi.json',
  routes: [
    read('GET', '/api/notes', listNotes),
    read('GET', '/api/notes/:id', getNote, {
      tagged: (output) => {
        const { enrichment: _, ...hashed } = output as { revision: number; enrichment: number }
        return { revision: hashed.revision, hashed }
      },
    }),
    write('PATCH', '/api/notes/:id', patchNote, {
      keyIsOptional: true,
      conditional: true,
      example: { request: { id: noteId, title: 'New' } },
    }),
    write('POST', '/api/notes/:id/comments', comment, { keyIsOptional: true }),
  ],
}
