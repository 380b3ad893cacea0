/**
 * Gives vectors to what is indexed, behind the index and outside the way to applied: a write never waits for it, and
 * what an embedder that was away has missed is made up for. Workspaces go in turns, each from its own checkpoint on.
 */
import type { Documents } from '../ports/documents.ts'
import { type Embedder, EmbedderUnavailable } from '../ports/embedder.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import type { WorkspaceId } from '../records/ids.ts'
import type { Measuring } from '../text/space-measuring.ts'
import { checkpointPages } from './checkpoint-pages.ts'
import { embedded, sequenceOf } from './embedded.ts'
import { embedWithLease, type LeasePorts } from './embedding-lease.ts'
import { firstPace } from './vectors-of-texts.ts'

export interface EmbeddingPorts extends Omit<LeasePorts, 'asking'> {
  embedder: Embedder
  measuring: Measuring
  /** Hears of each failure. */
  failed(reason: string): void
}

export interface EmbeddingWorker {
  /** After indexing: this workspace has rows without vectors. */
  wake(workspace: WorkspaceId): void
  /** What was woken and, every 5 s, whatever else is behind; until nothing is or the embedder fails, which is then left alone for a while. */
  look(): Promise<void>
  /** Why no vectors are to be had; undefined: they are, or were when they were last asked for. */
  fault(): string | undefined
}

const workspacesAtOnce = 500
/** Workspaces that are remembered as woken; the others are found by looking, every so many ms. */
const mostWoken = 10_000
const lookEvery = 5_000
/** ms, doubled with each failure in a row. */
const firstPause = 1_000
const longestPause = 60_000

export function embeddingWorker(ports: EmbeddingPorts, stopping: AbortSignal): EmbeddingWorker {
  const { clock, log, documents, embedder, measuring } = ports
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
        for await (const workspace of behind(documents, space.name)) if (woken.size < mostWoken) woken.add(workspace)
      }
      for (const workspace of [...woken]) {
        if (stopping.aborted) return
        woken.delete(workspace)
        // of a backlog others have their turn in between
        const reached = await embedWithLease(leasePorts, workspace, space, holder, () => woken.size > 0)
        if (reached === 'some') woken.add(workspace)
      }
    } while (woken.size > 0)
  }

  function fail({ message, askAgainIn }: EmbedderUnavailable): void {
    const pause = askAgainIn ?? Math.min(longestPause, firstPause * 2 ** failures)
    // not all processes at the same moment
    pausedUntil = clock.elapsed() + pause * (1 + clock.random() / 4)
    // found again by looking
    looked = Number.NEGATIVE_INFINITY
    if (failures === 0) log.warn({ why: message }, 'no vectors are to be had; what lacks them gets them later')
    failures += 1
    fault = message
    ports.failed(message)
  }

  /** Store or index: no fault of the embedder's, and told by themselves. */
  function wait({ message }: EngineUnavailable): void {
    pausedUntil = clock.elapsed() + lookEvery
    looked = Number.NEGATIVE_INFINITY
    if (!isWaiting) log.warn({ why: message }, 'vectors wait for an engine that is away')
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
      if (failures > 0) log.info({ failures }, 'vectors are to be had again')
      failures = 0
      fault = undefined
    },
    fault: () => fault,
  }
}

/** Those whose index shows more than has vectors. */
async function* behind(documents: Documents, space: string): AsyncGenerator<WorkspaceId> {
  for await (const page of checkpointPages(documents, workspacesAtOnce, ['live', 'indexed_seq'])) {
    const ids = page.map(({ id }) => id)
    const found = await documents.find(embedded, { where: { id: { in: ids } }, limit: ids.length })
    const known = new Map(found.map((one) => [one.id, one]))
    for (const { id, live, indexed_seq } of page) {
      if (sequenceOf(known.get(id), live, space) < indexed_seq) yield id
    }
  }
}
