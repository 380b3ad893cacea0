/** Sync readers that follow a feed during writes, and the state that each must end with. */
import { expect } from 'vitest'
import { type Answer, type Caller, type ChangeBody, call } from '../support/http.ts'
import { insist, type Told } from './insist.ts'
import { sleep } from './load.ts'

interface Change extends ChangeBody {
  replacement_id?: string
  supersedes?: string[]
}

interface Page {
  cursor: string
  has_more: boolean
  changes: Record<'knowledge' | 'decisions' | 'work', Change[]>
  reset_required?: boolean
}

/** The newest state of each record, by id. */
export type Cache = Map<string, Change>

export interface Reader {
  /** The number of changes so far, including repeated ones. */
  read(): number
  pages(): number
  /** Reads to the current end and returns the records. */
  end(): Promise<Cache>
}

export interface Following {
  /** Changes in a page. */
  limit: number
  /** ms between two reads at the end of the feed. */
  every: number
  told: Told
}

/** Reads page by page from the start of the feed. At the end it reads again after a pause. */
export function follow(caller: Caller, { limit, every, told }: Following): Reader {
  const cache: Cache = new Map()
  let going = true
  let read = 0
  let pages = 0
  let cursor: string | undefined

  async function readToEnd(): Promise<void> {
    for (;;) {
      const { status, body: page } = await insist(told, () => pageAfter(caller, cursor, limit))
      expect(status, JSON.stringify(page)).toBe(200)
      expect(page.reset_required).toBeUndefined()
      const changes = [...page.changes.knowledge, ...page.changes.decisions, ...page.changes.work]
      for (const change of changes) cache.set(change.id, change)
      read += changes.length
      pages++
      cursor = page.cursor
      if (!page.has_more) return
    }
  }

  const reading = (async () => {
    while (going) {
      await readToEnd()
      await sleep(every)
    }
  })()
  // end() reports it
  reading.catch(() => {})
  return {
    read: () => read,
    pages: () => pages,
    async end() {
      going = false
      await reading
      await readToEnd()
      return cache
    },
  }
}

function pageAfter(caller: Caller, cursor: string | undefined, limit: number): Promise<Answer<Page>> {
  return call<Page>(caller, 'POST', '/v1/context/sync', { limit, ...(cursor === undefined ? {} : { cursor }) })
}

/** Comparable states: each record by its title, and links by the titles of their targets. */
export function statesIn(cache: Cache): string[] {
  const titleOf = (id: string) => cache.get(id)?.title ?? `unknown ${id}`
  const states = [...cache.values()].map(({ title, change_type, replacement_id, supersedes = [] }) => {
    const links = [
      ...(replacement_id === undefined ? [] : [`by ${titleOf(replacement_id)}`]),
      ...supersedes.map((id) => `in place of ${titleOf(id)}`),
    ]
    return [title, change_type, ...links].join(', ')
  })
  return states.sort()
}
