/** decision.search: earlier decisions by a question or by id (specification 4; SEMANTICS 4). */
import type { Actor } from '../access/actor.ts'
import { boundCursor } from '../access/bound-cursor.ts'
import { type RankPosition, rankedHits } from '../context/hits.ts'
import type { RecordId } from '../ids.ts'
import { defineQuery, type Reads } from '../operation.ts'
import type { Presenting } from '../records/present/present.ts'
import { recordReader } from '../records/read/reader.ts'
import type { Envelope } from '../records/record.ts'
import {
  type DecisionSearchInput,
  type DecisionSearchOutput,
  decisionSearchInput,
  decisionSearchOutput,
} from './schema.ts'
import { shownDecisions } from './shown.ts'

export const searchDecisions = defineQuery<DecisionSearchInput, DecisionSearchOutput>({
  name: 'decision.search',
  scope: 'context:read',
  summary: 'Earlier decisions that answer a question, or known ones by id.',
  input: decisionSearchInput,
  output: decisionSearchOutput,

  async run({ input, actor, reads }) {
    const presenting = { reader: recordReader(reads.documents, actor, reads.clock), publicUrl: reads.publicUrl }
    if (input.ids) {
      // all ids fit on one page, so every cursor is refused
      boundCursor(reads, actor, 'decision_search', ['ids', input.ids], input.cursor)
      return { items: await byIds(input.ids as RecordId[], presenting) }
    }
    return byQuestion(input, input.q ?? '', { actor, reads, presenting })
  },
})

/** In the order of the ids, each once. */
async function byIds(ids: readonly RecordId[], presenting: Presenting) {
  const found = await presenting.reader.records(ids)
  return shownDecisions(
    [...found.values()].filter((record) => record.kind === 'decision'),
    presenting,
  )
}

async function byQuestion(
  input: DecisionSearchInput,
  q: string,
  { actor, reads, presenting }: { actor: Actor; reads: Reads; presenting: Presenting },
): Promise<DecisionSearchOutput> {
  const { category, significance, surface, entity_type, since, threshold } = input
  const query = [q, threshold, category, significance, surface, entity_type, since]
  const pages = boundCursor<RankPosition>(reads, actor, 'decision_search', query, input.cursor)
  const wanted = {
    q,
    filter: engineFilter(input),
    threshold,
    // a decision superseded by a memory is shown itself, marked as superseded
    headKind: 'decision' as const,
    findsAhead: true,
    accepts: async (records: readonly Envelope[]) =>
      new Set(records.filter((record) => isWanted(record, input)).map(({ id }) => id)),
    limit: input.limit,
    after: pages.position,
  }
  const { hits, next } = await rankedHits(wanted, presenting.reader, reads)
  const scores = new Map(hits.map(({ record, score }) => [record.record_id, score]))
  const records = await presenting.reader.records(scores.keys())
  return {
    items: await shownDecisions([...records.values()], presenting, scores),
    ...(next ? { next_cursor: pages.next(next) } : {}),
  }
}

/** The filters that the search engine applies. */
function engineFilter({ category, significance, surface, entity_type, since }: DecisionSearchInput) {
  return {
    kinds: ['decision', 'outcome'] as const,
    ...(category === undefined ? {} : { category }),
    ...(significance === undefined ? {} : { significance }),
    ...(surface === undefined ? {} : { surface }),
    ...(entity_type === undefined ? {} : { entity_type }),
    ...(since === undefined ? {} : { since }),
  }
}

/** Whether the head of a chain, which replaces the hit, meets the filters as well. */
function isWanted(record: Envelope, { category, significance, surface, entity_type, since }: DecisionSearchInput) {
  return (
    (category === undefined || record.category === category) &&
    (significance === undefined || record.significance === significance) &&
    (surface === undefined || record.surface === surface) &&
    (entity_type === undefined || record.entities.some((entity) => entity.type === entity_type)) &&
    (since === undefined || record.valid_from > since)
  )
}
