/** Which hits are private, and which have no date: a hit does not say it, so the records are read. */
import type { Marks } from '../../context/marks.ts'
import { chunks } from '../../ports/chunks.ts'
import { isKind, pathOf } from '../../records/kinds.ts'
import { privateMark } from '../../records/standing.ts'
import type { Client } from './client.ts'
import { forEachConcurrent } from './for-each-concurrent.ts'
import { unlessFailed } from './read-back.ts'

interface Named {
  type: string
  id?: string
}

interface Read {
  id: string
  visibility: unknown
  undated?: true
}

const atOnce = 8
/** Ids that one request may have (specification 8). */
const idsAtOnce = 50

/** A record that can't be read has no mark: the search itself has succeeded. */
export async function marksOf(records: readonly Named[], client: Client): Promise<Marks> {
  const types = new Map(records.flatMap(({ type, id }) => (id === undefined ? [] : [[id, type] as const])))
  const decisions = [...types].flatMap(([id, type]) => (type === 'decision' ? [id] : []))
  const found: Read[] = []
  for (const ids of chunks(decisions, idsAtOnce)) {
    const call = { method: 'POST', path: '/v1/decisions/search', body: { ids }, reads: true } as const
    found.push(...((await unlessFailed(client.call<{ items: Read[] }>(call)))?.items ?? []))
  }
  const others = [...types].filter(([, type]) => type !== 'decision' && isKind(type))
  await forEachConcurrent(others, atOnce, async ([id, type]) => {
    const path = isKind(type) ? pathOf(type, encodeURIComponent(id)) : undefined
    if (path === undefined) return
    const query = type === 'task' ? '?enrichment=none' : ''
    const read = client.call<{ visibility: unknown }>({ method: 'GET', path: `${path}${query}` })
    const record = await unlessFailed(read)
    if (record) found.push({ id, visibility: record.visibility })
  })
  return {
    private: found.filter((one) => privateMark(one) !== '').map(({ id }) => id),
    undated: found.filter(({ undated }) => undated === true).map(({ id }) => id),
  }
}
