/** Inputs and outputs of context.search and context.sync, exactly as in the specification (2 and 4). */
import { z } from 'zod'
import { mostQuestions, openQuestion } from '../questions/schema.ts'
import { outcomeStatuses } from '../records/body.ts'
import { atMost, characters, instant, provenance, sourceReference, text, uri } from '../validation/schema.ts'

/** A source reference in answers: the provenance is always present. */
export const sourceResponse = z.strictObject({
  type: text(1, 100),
  id: text(1, 300).exactOptional(),
  title: text(1, 500).exactOptional(),
  url: uri.exactOptional(),
  occurred_at: instant.exactOptional(),
  provenance,
})

export const conflict = z
  .strictObject({ source: sourceResponse, superseded_by: sourceResponse, message: text(1, 2000) })
  .describe('A newer recorded decision replaced the older source, which must not be relied on without review.')

/** Claims of a record that were superseded while the rest of it stays in force. */
export const supersededClaims = z
  .array(
    z.strictObject({
      claim: z.string(),
      by: sourceResponse,
      since: instant.exactOptional().describe('When it ceased to hold. Missing if that was not recorded.'),
    }),
  )
  .describe('Its claims that no longer hold, verbatim, each with the record that superseded it; the latest last.')

export const plannedSuccessors = z
  .array(z.strictObject({ type: text(1, 100), id: text(1, 300), title: text(1, 500), at: instant }))
  .exactOptional()
  .describe('What will take its place, each from an instant in the future on, the earliest first. Left out: nothing.')

const share = () => z.number().min(0).max(1)

export const cursor = z.string().min(1).max(4096)

export const mostReferences = 50
/** Records found by one reference as their source, the newest. */
export const mostCiting = 200

export const searchInput = z
  .strictObject({
    q: characters(1, 2000)
      .exactOptional()
      .describe('Free text. Without q and references: the newest records in force.'),
    query: characters(1, 2000).exactOptional().describe('Alias for q.'),
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
      .describe('Only records in force at this instant, past or future. Does not filter references.'),
    cursor: cursor.exactOptional().describe('next_cursor of the previous page, with the same query.'),
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
  source: sourceResponse,
  title: text(1, 500).exactOptional(),
  score: share().exactOptional().describe('0.5 or more: the record answers the query.'),
  outcome_status: z.enum(outcomeStatuses).exactOptional().describe('Of a decision: how it worked out.'),
  outcome_notes: z.string().exactOptional().describe('Notes of that outcome, at most 2,000 characters.'),
})

export const searchOutput = z.strictObject({
  items: z.array(searchItem),
  conflicts: z.array(conflict).default([]),
  open_questions: z.array(openQuestion).max(mostQuestions).default([]),
  next_cursor: cursor.exactOptional().describe('Send it as cursor, with the same query, to get the next page.'),
})
export type SearchOutput = z.output<typeof searchOutput>

export const syncInput = z.strictObject({
  cursor: cursor.exactOptional().describe('The last one that sync returned; absent only in the initial sync.'),
  limit: z.int().min(1).max(200).default(50).describe('Changes in all three arrays together.'),
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
  source: sourceResponse.exactOptional(),
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
    .describe('true: the visibility has changed; discard the local cache before applying this page.'),
})
export type SyncOutput = z.output<typeof syncOutput>
