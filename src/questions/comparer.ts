/** Which workspaces are compared (compare.ts), in turns: one with a long backlog keeps no other waiting. */
import { checkpointPages } from '../journal/checkpoint-pages.ts'
import { comparisons } from '../journal/compared.ts'
import type { Checkpoint } from '../journal/entry.ts'
import type { WorkspaceId } from '../records/ids.ts'
import { type ComparePorts, compareInTurns } from './compare.ts'

export interface Comparer {
  /** After indexing: this workspace has entries to compare. */
  wake(workspace: WorkspaceId): void
  /** Compares what was woken, and every 5 s whatever else is behind: nothing depends on being woken. */
  look(): Promise<void>
}

const workspacesAtOnce = 500
/** Workspaces that are remembered as woken; the others are found by looking, every so many ms. */
const mostWoken = 10_000
const lookEvery = 5_000
/** Workspaces that take turns: of each the rows of an entry are held in memory. */
const mostAtOnce = 16

export function comparer(ports: ComparePorts, stopping?: AbortSignal): Comparer {
  const { clock } = ports
  const woken = new Set<WorkspaceId>()
  const comparing = new Map<WorkspaceId, ReturnType<typeof compareInTurns>>()
  let looked = Number.NEGATIVE_INFINITY
  const wake = (workspace: WorkspaceId) => void (woken.size < mostWoken && woken.add(workspace))

  async function lookForMore(): Promise<void> {
    if (clock.elapsed() - looked < lookEvery) return
    looked = clock.elapsed()
    for await (const page of stranded(ports)) page.forEach(wake)
  }

  function begin(): void {
    for (const workspace of woken) {
      if (comparing.size >= mostAtOnce) return
      // what it was woken for since it began is compared afterwards
      if (comparing.has(workspace)) continue
      woken.delete(workspace)
      comparing.set(
        workspace,
        compareInTurns(ports, workspace, stopping, () => comparing.size >= mostAtOnce && woken.size > 0),
      )
    }
  }

  /** One turn of each. One that fails keeps no other from being compared. */
  async function turnOfEach(): Promise<void> {
    const failures: unknown[] = []
    for (const [workspace, turns] of comparing) {
      if (stopping?.aborted) return
      try {
        const { done, value } = await turns.next()
        if (done) comparing.delete(workspace)
        if (value === 'some') wake(workspace)
      } catch (error) {
        comparing.delete(workspace)
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  return {
    wake,
    async look() {
      do {
        await lookForMore()
        begin()
        await turnOfEach()
      } while (comparing.size > 0 && !stopping?.aborted)
    },
  }
}

async function* stranded(ports: ComparePorts): AsyncGenerator<WorkspaceId[]> {
  for await (const page of checkpointPages(ports.documents, workspacesAtOnce, ['indexed'])) {
    yield await behind(ports, page)
  }
}

async function behind({ documents }: ComparePorts, page: readonly Pick<Checkpoint, 'id' | 'indexed'>[]) {
  const ids = page.map(({ id }) => id)
  const done = await documents.find(comparisons, { where: { id: { in: ids } }, limit: ids.length })
  const compared = new Map(done.map((one) => [one.id, one.compared]))
  return page.filter(({ id, indexed }) => (compared.get(id) ?? 0) < indexed).map(({ id }) => id)
}
