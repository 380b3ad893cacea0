/**
 * Embeds indexed records in the background. A write never waits for it. Records that were indexed while the embedder
 * was unavailable are embedded later. Workspaces take turns, each from its own checkpoint.
 */
import type { WorkspaceId } from '../ids.ts'
import { checkpointPages } from '../journal/checkpoint.ts'
import { serving } from '../journal/shown-in.ts'
import { backOff } from '../ports/back-off.ts'
import type { Documents } from '../ports/documents.ts'
import { type Embedder, EmbedderUnavailable } from '../ports/embedder.ts'
import type { SearchEngine } from '../ports/search.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import type { Measuring } from '../text/space-measuring.ts'
import { embedded, sequenceOf } from './embedded.ts'
import { embedWithLease, type LeasePorts } from './embedding-lease.ts'
import { firstPace } from './vectors-of-texts.ts'

export interface EmbeddingPorts extends Omit<LeasePorts, 'asking'> {
  embedder: Embedder
  measuring: Measuring
  /** Called with each failure. */
  failed(reason: string): void
}

export interface EmbeddingWorker {
  /** Called after indexing: this workspace has rows without vectors. */
  wake(workspace: WorkspaceId): void
  /**
   * Embeds the woken workspaces and, every 5 s, all others that are behind. Stops when none is behind. If the embedder
   * fails, it pauses.
   */
  look(): Promise<void>
  /** Why embedding fails now; undefined: the last call succeeded. */
  fault(): string | undefined
}

const workspacesAtOnce = 500
/**
 * How many woken workspaces are remembered. The others are found by a look at all checkpoints, every `lookEvery` ms.
 */
const mostWoken = 10_000
const lookEvery = 5_000
/** ms. */
const pauses = { first: 1_000, longest: 60_000 }

export function embeddingWorker(ports: EmbeddingPorts, stopping: AbortSignal): EmbeddingWorker {
  const { clock, log, documents, search, embedder, measuring } = ports
  const holder = clock.id()
  const leasePorts: LeasePorts = { ...ports, asking: { embedder, measuring, pace: firstPace(), stopping } }
  const woken = new Set<WorkspaceId>()
  let looked = Number.NEGATIVE_INFINITY
  let failures = 0
  let pausedUntil = 0
  let fault: string | undefined
  let isWaiting = false

  async function giveAll(): Promise<void> {
    const space = await measuring.measure()
    do {
      if (clock.elapsed() - looked >= lookEvery) {
        looked = clock.elapsed()
        for await (const workspace of behind(documents, search, space.name))
          if (woken.size < mostWoken) woken.add(workspace)
      }
      for (const workspace of [...woken]) {
        if (stopping.aborted) return
        woken.delete(workspace)
        // a workspace with a backlog lets the others go first
        const reached = await embedWithLease(leasePorts, workspace, space, holder, () => woken.size > 0)
        if (reached === 'some') woken.add(workspace)
      }
    } while (woken.size > 0)
  }

  function fail({ message, askAgainIn }: EmbedderUnavailable): void {
    pausedUntil = clock.elapsed() + backOff(failures + 1, { ...pauses, asked: askAgainIn }, clock.random)
    // look at all checkpoints after the pause
    looked = Number.NEGATIVE_INFINITY
    if (failures === 0) log.warn({ why: message }, 'embedder unavailable; records are embedded later')
    failures += 1
    fault = message
    ports.failed(message)
  }

  /** The store or the search engine is unavailable. It is not the embedder's fault, and /readyz reports it. */
  function wait({ message }: EngineUnavailable): void {
    pausedUntil = clock.elapsed() + lookEvery
    looked = Number.NEGATIVE_INFINITY
    if (!isWaiting) log.warn({ why: message }, 'engine unavailable; embedding waits')
    isWaiting = true
  }

  return {
    wake: (workspace) => void (woken.size < mostWoken && woken.add(workspace)),
    async look() {
      if (stopping.aborted || clock.elapsed() < pausedUntil) return
      try {
        await giveAll()
      } catch (error) {
        if (stopping.aborted) return
        if (error instanceof EngineUnavailable) return wait(error)
        if (!(error instanceof EmbedderUnavailable)) throw error
        return fail(error)
      }
      isWaiting = false
      if (failures > 0) log.info({ failures }, 'embedder available again')
      failures = 0
      fault = undefined
    },
    fault: () => fault,
  }
}

/** Workspaces whose index holds rows without vectors. */
async function* behind(
  documents: Documents,
  search: Pick<SearchEngine, 'version'>,
  space: string,
): AsyncGenerator<WorkspaceId> {
  for await (const page of checkpointPages(documents, workspacesAtOnce, [
    'live',
    'indexed',
    'indexed_seq',
    'shown_in',
  ])) {
    const ids = page.map(({ id }) => id)
    const found = await documents.find(embedded, { where: { id: { in: ids } }, limit: ids.length })
    const known = new Map(found.map((one) => [one.id, one]))
    for (const checkpoint of page) {
      const { id, indexed_seq } = checkpoint
      if (sequenceOf(known.get(id), serving(search, checkpoint), space) < indexed_seq) yield id
    }
  }
}
