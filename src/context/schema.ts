/** What the reads of context take and answer, to the letter of the specification (2 and 4). */
import { z } from 'zod'
import { mostQuestions, openQuestion } from '../questions/schema.ts'
import { atMost, instant, provenance, sourceReference, text, uri } from '../records/schema.ts'

/** Source reference as answers have it: the provenance is always there. */
export const shownSource = z.strictObject({
  type: text(1, 100),
  id: text(1, 300).exactOptional(),
  title: text(1, 500).exactOptional(),
  url: uri.exactOptional(),
  occurred_at: instant.exactOptional(),
  provenance,
})

export const conflict = z
  .strictObject({ source: shownSource, superseded_by: shownSource, message: text(1, 2000) })
  .describe('A newer recorded decision replaced the older source, which must not be relied on without review.')

/** Of a record that is in force but for what it says here. */
export const supersededClaims = z
  .array(z.strictObject({ claim: z.string(), by: shownSource }))
  .describe('What of it does not hold any more, word for word, and what took its place; the latest last.')

const share = () => z.number().min(0).max(1)

export const cursor = z.string().min(1).max(4096)

export const mostReferences = 50
/** Of the records that have one reference as a source so many are found, the newest. */
export const mostCiting = 200

export const searchInput = z
  .strictObject({
    q: text(1, 2000).exactOptional().describe('Free text. Neither q nor references: the newest that is in force.'),
    query: text(1, 2000).exactOptional().describe('Alias for q.'),
    references: atMost(
      mostReferences,
      z.array(sourceReference.extend({ id: text(1, 300).describe('The id of the source in its own system.') })).min(1),
    )
      .exactOptional()
      .describe(
        `Exact citations to hydrate: the record itself, and the newest ${mostCiting} records that have it as a source. With q, q only chooses the passage.`,
      ),
    limit: z.int().min(1).max(50).default(10).describe('Items of one page, at most.'),
    as_of: instant
      .exactOptional()
      .describe('Only what was in force at that instant, or will be. Does not filter references.'),
    cursor: cursor.exactOptional().describe('next_cursor of the page before, with the same query.'),
  })
  .check((context) => {
    const { q, query } = context.value
    if (q === undefined || query === undefined || q === query) return
    const message = 'is an alias for q and differs from it: send one of them'
    context.issues.push({ code: 'custom', path: ['query'], message, input: query })
  })
export type SearchInput = z.output<typeof searchInput>

export const searchItem = z.strictObject({
  id: text(1, 300),
  snippet: z.string().min(1).describe('A verbatim passage of the record.'),
  source: shownSource,
  title: text(1, 500).exactOptional(),
  score: share().exactOptional().describe('From 0.5 on it answers the query.'),
})

export const searchOutput = z.strictObject({
  items: z.array(searchItem),
  conflicts: z.array(conflict).default([]),
  open_questions: z.array(openQuestion).max(mostQuestions).default([]),
  next_cursor: cursor.exactOptional().describe('To be sent back as cursor, with the same query.'),
})
export type SearchOutput = z.output<typeof searchOutput>

export const syncInput = z.strictObject({
  cursor: cursor.exactOptional().describe('The last one that sync returned; left out only for the initial sync.'),
  limit: z.int().min(1).max(200).default(50).describe('Of all three arrays together.'),
})
export type SyncInput = z.output<typeof syncInput>

export const changeEntry = z.strictObject({
  id: text(1, 300),
  kind: text(1, 100),
  title: text(1, 500),
  changed_at: instant,
  change_type: z.enum(['upsert', 'superseded', 'invalidated']),
  replacement_id: text(1, 300).exactOptional(),
  supersedes: z.array(text(1, 300)).max(50).exactOptional(),
  supersession_reason: text(1, 2000).exactOptional(),
  source: shownSource.exactOptional(),
})

export const syncOutput = z.strictObject({
  cursor,
  has_more: z.boolean(),
  generated_at: instant,
  changes: z.strictObject({
    knowledge: z.array(changeEntry),
    decisions: z.array(changeEntry),
    work: z.array(changeEntry),
  }),
  reset_required: z
    .boolean()
    .exactOptional()
    .describe('true: discard the local cache before applying this page, for the visibility changed.'),
})
export type SyncOutput = z.output<typeof syncOutput>
