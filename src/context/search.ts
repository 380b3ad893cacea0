/**
 * context.search: snippets with sources, by query, by reference, or the newest in force (specification 4; SEMANTICS 3).
 */

import type { Actor } from '../access/actor.ts'
import { boundCursor } from '../access/bound-cursor.ts'
import { defineQuery, type Reads } from '../operation.ts'
import { eachAskedOnce, openQuestionsOn } from '../questions/open.ts'
import { mostQuestions } from '../questions/schema.ts'
import { searchedKinds } from '../records/kinds.ts'
import { hitsOf } from '../records/present/hits.ts'
import { leadingOutcomes } from '../records/present/outcomes.ts'
import { conflictsOf, type Presenting } from '../records/present/present.ts'
import { claimConflictsOf } from '../records/present/superseded-claims.ts'
import { recordReader } from '../records/read/reader.ts'
import type { Envelope } from '../records/record.ts'
import { termsOf } from '../text/query.ts'
import { type RankPosition, rankedHits } from './hits.ts'
import { type NewestPosition, newestInForce } from './newest.ts'
import { type Reference, type ReferencePosition, referenced } from './references.ts'
import { type SearchInput, type SearchOutput, searchInput, searchOutput } from './schema.ts'

export const searchContext = defineQuery<SearchInput, SearchOutput>({
  name: 'context.search',
  scope: 'context:read',
  summary: 'Cited snippets of what the workspace knows: by query, by reference, or the newest.',
  input: searchInput,
  output: searchOutput,

  async run({ input, actor, reads }) {
    const { q, query, ...rest } = input
    const asked = { ...rest, q: q ?? query }
    const presenting = { reader: recordReader(reads.documents, actor, reads.clock), publicUrl: reads.publicUrl }
    const { hits, ...answer } = await answerOf(asked, { actor, reads, presenting })
    const records = hits.map(({ record }) => record)
    // as_of does not apply to references
    const asOf = asked.references === undefined ? asked.as_of : undefined
    const [questions, claims] = await Promise.all([
      openQuestionsOn({ reads, presenting }, records),
      claimConflictsOf(records, presenting, reads.documents, asOf),
    ])
    // a question quotes the records that it is about: none of them may be later than as_of
    const shown = questions.filter(({ about }) => about.every((one) => asOf === undefined || one.valid_from <= asOf))
    const open_questions = eachAskedOnce(shown)
      .slice(0, mostQuestions)
      .map(({ question }) => question)
    return { ...answer, conflicts: [...answer.conflicts, ...claims], open_questions }
  },
})

type Asked = Omit<SearchInput, 'q' | 'query'> & { q: string | undefined }
type Answer = Pick<SearchOutput, 'items' | 'conflicts' | 'next_cursor'> & { hits: readonly { record: Envelope }[] }

interface With {
  actor: Actor
  reads: Reads
  presenting: Presenting
}

function answerOf(asked: Asked, context: With): Promise<Answer> {
  if (asked.references) return byReference(asked, asked.references, context)
  return asked.q === undefined ? newest(asked, context) : byQuery(asked, asked.q, context)
}

async function byQuery(asked: Asked, q: string, { actor, reads, presenting }: With): Promise<Answer> {
  const pages = boundCursor<RankPosition>(reads, actor, 'search', ['q', q, asked.as_of ?? null], asked.cursor)
  const wanted = {
    q,
    filter: { kinds: searchedKinds },
    asOf: asked.as_of,
    limit: asked.limit,
    after: pages.position,
  }
  const { hits, replaced, next, gains } = await rankedHits(wanted, presenting.reader, reads)
  return {
    hits,
    items: await hitsOf(hits, gains, presenting, await outcomesOn(hits, presenting, reads, asked.as_of)),
    conflicts: await conflictsOf(replaced, presenting),
    ...(next ? { next_cursor: pages.next(next) } : {}),
  }
}

async function byReference(
  asked: Asked,
  references: readonly Reference[],
  { actor, reads, presenting }: With,
): Promise<Answer> {
  const named = references.map(({ type, id }) => [type, id])
  const query = ['references', named, asked.q ?? null]
  const pages = boundCursor<ReferencePosition>(reads, actor, 'search', query, asked.cursor)
  const page = { limit: asked.limit, after: pages.position }
  const { records, next } = await referenced(references, page, presenting.reader, reads)
  const terms = asked.q === undefined ? [] : termsOf(asked.q).terms
  const hits = records.map((record) => ({ record }))
  return {
    hits,
    items: await hitsOf(hits, terms, presenting, await outcomesOn(hits, presenting, reads)),
    conflicts: await conflictsOf(records, presenting),
    ...(next ? { next_cursor: pages.next(next) } : {}),
  }
}

async function newest(asked: Asked, { actor, reads, presenting }: With): Promise<Answer> {
  const query = ['newest', asked.as_of ?? null]
  const pages = boundCursor<NewestPosition>(reads, actor, 'search', query, asked.cursor)
  const wanted = { at: asked.as_of ?? presenting.reader.now, limit: asked.limit, after: pages.position }
  const { rows, next } = await newestInForce(wanted, presenting.reader, reads)
  const hits = rows.map((record) => ({ record }))
  return {
    hits,
    items: await hitsOf(hits, [], presenting, await outcomesOn(hits, presenting, reads, asked.as_of)),
    conflicts: [],
    ...(next ? { next_cursor: pages.next(next) } : {}),
  }
}

function outcomesOn(hits: readonly { record: Envelope }[], presenting: Presenting, reads: Reads, asOf?: string) {
  const ids = hits.map(({ record }) => record.record_id)
  return leadingOutcomes(ids, presenting, reads.documents, asOf)
}
