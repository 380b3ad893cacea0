/** Presents a memory with its chain of corrections for memory.get (SEMANTICS 7). */
import type { Picked } from '../../ports/documents.ts'
import { bodyOf } from '../body.ts'
import type { SeenLinks } from '../read/reader.ts'
import { mostLinks, type SeenRecord } from '../read/seen-record.ts'
import type { PrecedentRecord } from '../record.ts'
import { cut } from '../title.ts'
import {
  commonFields,
  type Presenting,
  plannedSuccessors,
  sourcesOf,
  sourcesOfAll,
  titleWithStatus,
} from './present.ts'
import { claimResponsesOf } from './superseded-claims.ts'

/** Code points shown of each other memory of the chain. */
const longestExcerpt = 2000

export async function memoryOf(record: SeenRecord, presenting: Presenting) {
  const { reader } = presenting
  const behind = (await reader.behind([record.record_id])).get(record.record_id) ?? []
  const ahead = await chainAhead(record, presenting)
  const whole = await reader.rows(
    [record, ...behind, ...ahead].map((one) => one.id),
    ['kind', 'body', 'mutable', 'text'],
  )
  const own = whole.get(record.id)
  const body = own && bodyOf(own, 'memory')
  const { confirmed_at, ...mutable } = own?.mutable ?? {}
  const { successors } = (await reader.links([record]))[0] as SeenLinks
  const planned = await reader.plannedSuccessors([record.record_id])
  // fewer people may see the corrected memory than its correction
  const corrects = body?.corrects && (await reader.records([body.corrects])).has(body.corrects) ? body.corrects : null
  const link = (one: SeenRecord) => chained(one, whole.get(one.id))
  return {
    id: record.record_id,
    kind: body?.memory_kind ?? 'fact',
    title: titleWithStatus(record),
    content: own?.text ?? '',
    topics: record.topics,
    occurred_at: record.valid_from,
    ...(confirmed_at === undefined ? {} : { confirmed_at }),
    ...commonFields(record, presenting),
    sources: await sourcesOf(record, presenting),
    superseded_by: await sourcesOfAll(
      successors.map((one) => one.record),
      presenting,
    ),
    ...plannedSuccessors(planned.get(record.record_id)),
    superseded_claims: await claimResponsesOf(mutable, presenting),
    ...(corrects === null ? {} : { corrects_memory_id: corrects }),
    corrected_by: ahead.map(link),
    corrects: behind.map(link),
  }
}

/** What supersedes it, directly or transitively, the nearest first. */
async function chainAhead(record: SeenRecord, { reader }: Presenting): Promise<SeenRecord[]> {
  const chain = new Map<string, SeenRecord>()
  let level = [record]
  while (level.length > 0 && chain.size < mostLinks) {
    level = (await reader.links(level))
      .flatMap(({ successors }) => successors.map((one) => one.record))
      .filter((one) => one.record_id !== record.record_id && !chain.has(one.record_id))
    for (const one of level.slice(0, mostLinks - chain.size)) chain.set(one.record_id, one)
  }
  return [...chain.values()]
}

function chained(record: SeenRecord, whole: Picked<PrecedentRecord, 'kind' | 'body' | 'text'> | undefined) {
  return {
    id: record.record_id,
    kind: (whole?.kind === 'memory' && whole.body.memory_kind) || record.kind,
    title: titleWithStatus(record),
    excerpt: cut(whole?.text ?? '', longestExcerpt),
    occurred_at: record.valid_from,
    recorded_at: record.created_at,
  }
}
