/** The lens handoff: what a successor must know, under five headings (specification 4). */
import type { Reads } from '../../../operation.ts'
import { EngineUnavailable } from '../../../ports/unavailable.ts'
import { inForce } from '../../../records/in-force.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { Envelope } from '../../../records/record.ts'
import { rankedHits } from '../../hits.ts'
import { byRankScore, type Counted, type Found, type Item, rowIdsOf, unscored } from '../find/found.ts'
import { lastSaidFirst } from '../find/newest.ts'
import { leftOpen } from '../text/left-open.ts'
import { alsoRecorded, mostBinding, noteOn, type Section } from './sections.ts'

export const responsibilities = 'Responsibilities'
export const unresolved = 'Unresolved decisions'

/** Memories under each heading. */
const mostOfAKind = 8
/** Session outcomes that left something open. */
const mostSessions = 8
/** Memories whose texts are read to choose their heading. */
const mostRead = 100
/** UTF-16 units read of each of these texts. */
const mostLooked = 2_000
/** Hits of the search for one heading. */
const mostHits = 20

/** Puts each record under the first heading that it fits. */
export async function handoffSections(found: Found, reader: RecordReader): Promise<Section[]> {
  const { decisions, others } = found
  const isShort = found.relevance === 'unscoped'
  const binding = isShort ? found.binding.slice(0, mostBinding) : found.binding
  const memories = [...found.memories, ...binding].sort(byRankScore)
  const listed = new Set<Item>()
  const take = (items: readonly Item[], fits: (item: Item) => boolean, most = mostOfAKind) => {
    const taken = items.filter((item) => !listed.has(item) && fits(item)).slice(0, most)
    for (const item of taken) listed.add(item)
    return taken
  }
  const read = [...found.memories, ...binding, ...found.also].slice(0, mostRead)
  const texts = await reader.rows(rowIdsOf(read), ['text'])
  const says = (words: RegExp) => (item: Item) => {
    const text = texts.get(item.record.id)?.text.slice(0, mostLooked) ?? ''
    return item.kind !== 'decision' && (words.test(text) || item.record.topics.some((topic) => words.test(topic)))
  }
  // first, because what a session left to do is told nowhere else. Newest first: a later session may have done it
  const sessions = take(
    [...memories, ...found.also].sort(lastSaidFirst),
    (item) => item.kind === 'session_outcome' && leftOpen(texts.get(item.record.id)?.text ?? '') !== '',
    mostSessions,
  )
  const owned = take(memories, (item) => item.kind !== 'commitment' && says(responsible)(item))
  const promised = take(memories, ({ kind }) => kind === 'commitment', mostBinding)
  const between = take([...decisions, ...memories], (item) => isOf(relations, item.record) || says(related)(item))
  const positions = [
    ...[...decisions, ...binding.filter(({ kind }) => kind === 'decision')].filter((item) => !listed.has(item)),
    ...take(memories, ({ kind }) => kind === 'constraint', mostBinding),
    ...take(memories, ({ record }) => isOf(positionWords, record)),
  ]
  const proposed = others.filter(({ record }) => record.status === 'proposed')
  // includes decisions under another heading
  const all = new Set([...listed, ...decisions])
  const { mostDecisions = Number.POSITIVE_INFINITY } = found
  const mostOf = (kind: Counted) => (kind === 'decision' ? mostDecisions : Number.POSITIVE_INFINITY)
  const toldOf = (kind: Counted) => Math.min(mostOf(kind), [...all].filter((item) => item.kind === kind).length)
  const section = (heading: string, items: Item[], ...kinds: Counted[]) => {
    const notes = kinds.map((kind) => noteOn(kind, toldOf(kind), found)).filter((note) => note !== '')
    return { heading, items, isByTopic: true, otherwise: 'Nothing is recorded.', note: () => notes.join(' ') }
  }
  // what search found and no heading fits
  const also = isShort ? [] : [...found.memories, ...binding, ...found.also].filter((item) => !all.has(item))
  return [
    { ...section(responsibilities, owned), isShort },
    { ...section('Commitments', promised, 'commitment'), isShort: true, kinds: ['commitment'] },
    { ...section('Positioning', positions, 'decision', 'constraint'), isShort: true },
    { ...section('Relationships', between), isShort },
    { ...section(unresolved, [...proposed, ...sessions]), isOfOwn: true },
    { heading: alsoRecorded, items: also, isShort: true, isLessRelevant: true, otherwise: null, note: () => '' },
  ]
}

/** Adds older memories that fit the headings, by searching for typical words. */
export async function withHeadings(found: Found, reader: RecordReader, reads: Reads): Promise<Found> {
  const ask = (q: string) =>
    rankedHits({ q, filter: { kinds: ['memory'] }, asWritten: true, limit: mostHits, after: undefined }, reader, reads)
  try {
    const hits = (await Promise.all(searched.map(ask))).flatMap((one) => one.hits)
    const known = new Set([...found.memories, ...found.binding].map(({ record }) => record.record_id))
    const more = hits.filter(({ record }) => !known.has(record.record_id) && inForce(record, reader.now))
    const once = new Map(more.map(({ record }) => [record.record_id, record]))
    const items = await unscored([...once.values()], reader)
    // search results first, so that newer memories don't displace them
    return { ...found, memories: [...items, ...found.memories] }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    const failure = 'Search is not available: older responsibilities and relationships may be missing.'
    return { ...found, failures: [...found.failures, failure] }
  }
}

const searched = [
  'responsible owner owns maintains leads accountable on-call contact',
  'customer client partner vendor supplier contract investor stakeholder',
]

/** Words that name a responsible person or team. */
const responsible =
  /\b(?:(?:is|are|was made|will be) (?:responsible|accountable|in charge)|owns|(?:I|we|you|they|who) own|owner of|owned by|ownership|maintains|maintainers? of|maintained by|leads|led by|on[- ]call|takes care of|looks after|(?:point of )?contact for|stands in for|deput(?:y|ises)|signs? off|approves|reports to|responsib\w+|verantwortlich|zuständig|responsable de)\b/i
/** Words that name customers, partners and others outside the company. */
const related =
  /\b(?:customers?|clients?|partners?|partnerships?|vendors?|suppliers?|contractors?|contract with|investors?|stakeholders?|regulators?|account manager|kunden?|lieferant(?:en)?|fournisseurs?|clientes?|proveedor(?:es)?)\b/i

const relations: ReadonlySet<string> = new Set(
  `customer client partner partnership sales support account vendor supplier investor company organization
  organisation`.split(/\s+/),
)
const positionWords: ReadonlySet<string> = new Set(
  `strategy strategic market marketing go_to_market pricing product positioning policy competition competitors
  roadmap`.split(/\s+/),
)

function isOf(words: ReadonlySet<string>, { category, surface, topics, entities }: Envelope): boolean {
  const marks = [category, surface, ...topics, ...entities.map(({ type }) => type)]
  return marks.some((mark) => mark !== null && words.has(mark.toLowerCase()))
}
