/** Reads pages of hits, each with how its record stands now: a hit does not say it, so the records are read. */

import { Refusal } from '../service/http.ts'
import type { FoundDecision, Hit, Hits, Memory, Service } from '../service/service.ts'
import { type Asked, endOfDay, findInputOf } from './asked.ts'

export interface Found {
  type: string
  id: string
  title: string
  /** Markdown, verbatim. */
  passage: string
  day: string
  score?: number | undefined
  outcome_status?: Hit['outcome_status'] | undefined
  outcome_notes?: string | undefined
  /** undefined: of a task, or the record can't be read any more. */
  record: FoundDecision | Memory | undefined
}

export interface FoundPage {
  items: Found[]
  conflicts: Hits['conflicts']
  open_questions: Hits['open_questions']
  next_cursor?: string | undefined
}

const hitsOfPage = 10
/** Hits that are read at once while memories are picked out of them. */
const hitsPickedFrom = 25
const mostPages = 4
const longestPassage = 1500

export async function readFound(
  asked: Asked,
  cursor: string | undefined,
  service: Service,
  signal: AbortSignal,
): Promise<FoundPage> {
  if (asked.kind === 'decisions') return readDecisions(asked, cursor, service, signal)
  const { items, ...rest } = await readHits(asked, cursor, service, signal)
  const records = await recordsOf(items, service, signal)
  return {
    ...rest,
    items: items.map(({ id, title, snippet, source, score, outcome_status, outcome_notes }) => ({
      type: source.type,
      id,
      title: title ?? id,
      passage: snippet,
      day: source.occurred_at ?? '',
      score,
      outcome_status,
      outcome_notes,
      record: records.get(id),
    })),
  }
}

/** The service has no filter for memories: they are picked out of up to four pages of hits. */
async function readHits({ q, kind, as_of }: Asked, cursor: string | undefined, service: Service, signal: AbortSignal) {
  const input = { ...(q && { q }), ...(as_of && { as_of: endOfDay(as_of) }) }
  if (kind === 'all') return service.search({ ...input, ...(cursor && { cursor }), limit: hitsOfPage }, signal)
  const picked: Hits = { items: [], conflicts: [], open_questions: [] }
  let next = cursor
  for (let pages = 0; pages < mostPages && picked.items.length < hitsOfPage; pages++) {
    const page: Hits = await service.search({ ...input, ...(next && { cursor: next }), limit: hitsPickedFrom }, signal)
    const ids = new Set(page.items.filter(({ source }) => source.type === 'memory').map(({ id }) => id))
    const isOfOne = ({ id }: { id?: string | undefined }) => id !== undefined && ids.has(id)
    picked.items.push(...page.items.filter(isOfOne))
    picked.conflicts.push(
      ...page.conflicts.filter(({ source, superseded_by }) => isOfOne(source) || isOfOne(superseded_by)),
    )
    picked.open_questions.push(...page.open_questions.filter(({ subject }) => isOfOne({ id: subject?.id })))
    next = page.next_cursor
    if (next === undefined) break
  }
  return { ...picked, next_cursor: next }
}

async function readDecisions(
  asked: Asked,
  cursor: string | undefined,
  service: Service,
  signal: AbortSignal,
): Promise<FoundPage> {
  const { items, next_cursor } = await service.findDecisions(
    { ...findInputOf(asked), limit: hitsOfPage, ...(cursor && { cursor }) },
    signal,
  )
  return {
    items: items.map((record) => ({
      type: 'decision',
      id: record.id,
      title: record.title,
      passage: cut(record.judgment),
      day: record.decided_at,
      score: record.score,
      outcome_status: record.outcome_status,
      outcome_notes: record.outcome_notes,
      record,
    })),
    conflicts: [],
    open_questions: [],
    next_cursor,
  }
}

async function recordsOf(items: readonly Hit[], service: Service, signal: AbortSignal) {
  const idsOf = (type: string) => items.filter(({ source }) => source.type === type).map(({ id }) => id)
  const ids = idsOf('decision')
  const [decisions, ...memories] = await Promise.all([
    ids.length === 0 ? { items: [] } : service.findDecisions({ ids }, signal),
    ...idsOf('memory').map((id) => unlessGone(service.memory(id, signal))),
  ])
  const all: (FoundDecision | Memory)[] = [...decisions.items, ...memories.flatMap((memory) => memory ?? [])]
  return new Map(all.map((record) => [record.id as string, record]))
}

/** A record may vanish from the reader's sight after it was found. */
async function unlessGone(memory: Promise<Memory>): Promise<Memory | undefined> {
  try {
    return await memory
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}

function cut(text: string): string {
  return text.length <= longestPassage ? text : `${text.slice(0, longestPassage).replace(/[\ud800-\udbff]$/, '')}…`
}
