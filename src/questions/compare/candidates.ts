/**
 * Chooses the rows to compare a row with: those that a search for its words finds first. Each audience that may be asked
 * gets candidates of its own, so that private records of one user never push out those of another: each user gets the
 * questions that a store with only his visible records would produce (SEMANTICS 2), within the bounds below.
 */

import type { Near, NearRow } from '../../claims/likely-update.ts'
import { sourceOf } from '../../claims/source.ts'
import type { Audience, RecordKind, WorkspaceId } from '../../ids.ts'
import { checkpointOf } from '../../journal/checkpoint.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import { indexToSearch } from '../../journal/shown-in.ts'
import { instant } from '../../ports/clock.ts'
import type { Collection, Documents } from '../../ports/documents.ts'
import type { Candidate, SearchFilter, Statistics } from '../../ports/search.ts'
import { analysisNeededBy } from '../../records/filter-versions.ts'
import { kinds } from '../../records/kinds.ts'
import { type Envelope, type PrecedentRecord, records } from '../../records/record.ts'
import { idf } from '../../text/matching.ts'
import { termsOf } from '../../text/query.ts'
import { type Scored, score } from '../../text/scorer.ts'

/** Rows that one row is compared with for each audience. */
const mostCandidates = 10
/** Rows that the engine proposes, to be ranked. */
const proposed = 40
/** Rows of users and teams that one search proposes for a row of the workspace, the port's bound. */
const proposedOfOthers = 200
/** The most searches for rows of users and teams. One is enough, unless some of them have very many such rows. */
const mostSearches = 4
/** UTF-16 units of a text whose words are searched for. */
const mostSearched = 2_000
/** The most words searched for. */
const mostTerms = 32

const knowledge = (Object.keys(kinds) as RecordKind[]).filter((kind) => kinds[kind].isKnowledge)

/**
 * Best first, one list for each audience that would be asked: the audience of `row`, and for a row of the workspace also the
 * users and teams `beside` it (audiencesBeside). Throws EngineUnavailable if the search engine is unavailable.
 */
export async function candidatesOf(
  { documents, search, clock }: Pick<JournalPorts, 'documents' | 'search' | 'clock'>,
  row: PrecedentRecord,
  beside: readonly Audience[],
): Promise<Near[][]> {
  const { title, text } = sourceOf(row)
  const words = termsOf(`${title}\n${text.slice(0, mostSearched)}`)
  const query = { terms: words.terms.slice(0, mostTerms), weights: words.weights.slice(0, mostTerms) }
  if (query.terms.length === 0) return []
  const { audience, workspace, valid_from } = row
  const isShared = audience === 'workspace'
  const now = instant(clock)
  const own: SearchFilter = {
    kinds: knowledge,
    workspace,
    // a record that is not in force yet is compared with what is in force then
    as_of: valid_from > now ? valid_from : now,
    audiences: isShared ? [audience] : [audience, 'workspace'],
  }
  const index = await indexToSearch(search, await checkpointOf(documents, workspace), analysisNeededBy(own))
  const found = await search.candidates(index, own, query, proposed)
  const ranked = (items: readonly Candidate[]) =>
    score(
      items.filter(({ record_id }) => record_id !== row.record_id),
      // also for rows of others: each user's rows are ranked alike, whatever rows other users have
      found.statistics,
      { weights: query.weights, pairs: [] },
    )
  const visible = ranked(found.items)
  const lists = [visible]
  if (isShared) {
    const proposedFor = async (audiences: readonly Audience[]) =>
      ranked((await search.candidates(index, { ...own, audiences }, query, proposedOfOthers)).items)
    lists.push(...(await listsBeside(documents, beside, proposedFor)))
  }
  const nearness = nearnessIn(found.statistics)
  return lists
    .map((list) => list.slice(0, mostCandidates))
    .filter((list) => list.length > 0)
    .map((list) => {
      // the readers of a list also see the rows of the workspace: the best of both counts
      const best = Math.max(...[visible[0], list[0]].map((one) => one?.bm25 ?? 0))
      return list.map(({ candidate, bm25 }) => ({ id: candidate.id, match: bm25 / best, ...nearness(candidate) }))
    })
}

function nearnessIn({ documents, document_frequencies }: Statistics) {
  const rarest = Math.log(1 + documents)
  const rarity = document_frequencies.map((having) => idf(having, documents) / rarest)
  const all = rarity.reduce((sum, each) => sum + each, 0)
  return ({ frequencies }: Candidate): Pick<Near, 'common' | 'covered'> => {
    const common = rarity.reduce((sum, each, at) => sum + (frequencies[at] === 0 ? 0 : each), 0)
    return { common, covered: common / all }
  }
}

/** The rows that were found, best first. */
export async function rowsOf(documents: Documents, near: readonly Near[]): Promise<NearRow[]> {
  const where = { id: { in: near.map(({ id }) => id) } }
  const rows = new Map((await documents.find(records, { where, limit: near.length })).map((row) => [row.id, row]))
  return near.flatMap((one) => {
    const row = rows.get(one.id)
    return row ? [{ ...one, row }] : []
  })
}

/**
 * One list for each audience. If the rows of some audiences fill the answer of a search, the others are searched again
 * without these.
 */
async function listsBeside(
  documents: Documents,
  beside: readonly Audience[],
  proposedFor: (audiences: readonly Audience[]) => Promise<Scored[]>,
): Promise<Scored[][]> {
  const lists = new Map<Audience | undefined, Scored[]>()
  let left = beside
  for (let searches = 0; searches < mostSearches && left.length > 0; searches++) {
    const found = await proposedFor(left)
    if (found.length === 0) break
    for (const [audience, list] of await byAudience(documents, found)) lists.set(audience, list)
    if (found.length < proposedOfOthers) break
    const incomplete = left.filter((audience) => (lists.get(audience)?.length ?? 0) < mostCandidates)
    if (incomplete.length === left.length) break
    left = incomplete
  }
  return [...lists.values()]
}

async function byAudience(documents: Documents, ranked: readonly Scored[]) {
  const where = { id: { in: ranked.map(({ candidate }) => candidate.id) } }
  const rows = await documents.find(records, { where, limit: ranked.length, fields: ['id', 'audience'] })
  const audiences = new Map(rows.map(({ id, audience }) => [id, audience]))
  const groups = new Map<Audience | undefined, Scored[]>()
  for (const one of ranked) {
    const audience = audiences.get(one.candidate.id)
    groups.set(audience, [...(groups.get(audience) ?? []), one])
  }
  return groups
}

/** A user or team that has records of its own in a workspace: a record for all is compared with theirs too. */
interface ComparedAudience {
  /** `<workspace>/<audience>`. */
  id: string
  workspace: WorkspaceId
  audience: Audience
}

/** Written when a record of the audience is compared, never changed. */
export const comparedAudiences: Collection<ComparedAudience> = {
  name: 'compared_audiences',
  fields: { id: 'string', workspace: 'string', audience: 'string' },
  unique: [],
  indexes: [['workspace', 'audience']],
}

/** The most users and teams whose own rows are compared with a workspace row, besides other workspace rows. */
const mostAudiences = 50

/**
 * The users and teams that `rows` are compared with besides the workspace: those of earlier rows, and of `rows` themselves.
 * Of more than 50 those with the last ids.
 */
export async function audiencesBeside(
  documents: Documents,
  workspace: WorkspaceId,
  rows: readonly Pick<Envelope, 'audience'>[],
): Promise<Audience[]> {
  if (rows.length === 0) return []
  const own = [...new Set(rows.map(({ audience }) => audience))].filter((audience) => audience !== 'workspace')
  if (own.length > 0) {
    const added = own.map((audience) => ({ id: `${workspace}/${audience}`, workspace, audience }))
    await documents.insertMany(comparedAudiences, added)
  }
  const found = await documents.find(comparedAudiences, {
    where: { workspace },
    sort: [['audience', 'desc']],
    limit: mostAudiences,
    fields: ['audience'],
  })
  return found.map(({ audience }) => audience)
}
