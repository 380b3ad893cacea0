/** Rebuilds search indexes without a service. */

import type { WorkspaceId } from '../../src/ids.ts'
import { maintainIndexes } from '../../src/indexing/maintain-indexes.ts'
import { newRebuild, type Rebuild, type RebuildState, rebuilds } from '../../src/indexing/rebuilds.ts'
import { checkpointOf } from '../../src/journal/checkpoint.ts'
import type { SearchEngine } from '../../src/ports/search.ts'
import { type World, workspace } from './apply.ts'

export const never = new AbortController().signal

/** Rebuilds into an index of its own for the workspace, as if an admin had asked. Returns the name of the live index. */
export async function rebuiltAlone(on: World, of: WorkspaceId = workspace): Promise<string> {
  await on.documents.insert(rebuilds, newRebuild(on.clock, of, null))
  await maintainIndexes(on.portsOf(on), never)
  return (await checkpointOf(on.documents, of)).live
}

const states: RebuildState[] = ['asked', 'filling', 'live', 'done', 'dropping']

/** All rebuilds, in the order of their requests. */
export async function rebuildsOf(on: World): Promise<Rebuild[]> {
  return on.documents.find(rebuilds, { where: { state: { in: states } }, sort: [['id', 'asc']], limit: 1_000 })
}

/** The world's clock advances with each call. */
export function pass(on: World, ms: number): void {
  const until = on.clock.now() + ms
  while (on.clock.now() < until) {}
}

/** A point where a worker stops until it is resumed. */
export interface Gate {
  /** Resolves when the worker has arrived. */
  reached: Promise<void>
  stop(): Promise<void>
  open(): void
}

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return {
    reached,
    stop() {
      reach()
      return opened
    },
    open,
  }
}

/** An engine for a worker that is suspended at the first such call, until it is resumed. */
export function freezing(engine: SearchEngine, at: 'upsert' | 'advance' | 'create') {
  const { stop, reached, open } = gate()
  const call = engine[at] as (...asked: unknown[]) => Promise<unknown>
  const search: SearchEngine = { ...engine, [at]: (...asked: unknown[]) => stop().then(() => call(...asked)) }
  return { search, reached, thaw: open }
}
