/** Schedules comparing (compare.ts): workspaces take turns, so that a long backlog of one does not delay the others. */

import type { WorkspaceId } from '../../ids.ts'
import type { Checkpoint } from '../../journal/checkpoint.ts'
import { checkpointPages, comparisons } from '../../journal/checkpoint.ts'
import { compareInTurns } from './compare.ts'
import type { ComparePorts } from './compare-ports.ts'

interface Comparer {
  /** Called after indexing: this workspace has entries to compare. */
  wake(workspace: WorkspaceId): void
  /** Compares all woken workspaces. Every 5 s it also finds workspaces whose wake was lost. */
  look(): Promise<void>
}

const workspacesAtOnce = 500
/** Woken workspaces kept in memory; a scan of the checkpoints finds the others. */
const mostWoken = 10_000
/** ms between two scans. */
const scanEvery = 5_000
/** Workspaces compared at the same time: for each, the rows of one entry are in memory. */
const mostAtOnce = 16

export function comparer(ports: ComparePorts, stopping?: AbortSignal): Comparer {
  const { clock } = ports
  const woken = new Set<WorkspaceId>()
  const comparing = new Map<WorkspaceId, ReturnType<typeof compareInTurns>>()
  let lastScan = Number.NEGATIVE_INFINITY
  const wake = (workspace: WorkspaceId) => void (woken.size < mostWoken && woken.add(workspace))

  async function scanIfDue(): Promise<void> {
    if (clock.elapsed() - lastScan < scanEvery) return
    lastScan = clock.elapsed()
    for await (const page of pagesBehind(ports)) page.forEach(wake)
  }

  function startWoken(): void {
    for (const workspace of woken) {
      if (comparing.size >= mostAtOnce) return
      // it was woken again while running: it starts again when this run ends
      if (comparing.has(workspace)) continue
      woken.delete(workspace)
      comparing.set(
        workspace,
        compareInTurns(ports, workspace, stopping, () => comparing.size >= mostAtOnce && woken.size > 0),
      )
    }
  }

  /** Runs one turn of each workspace. If one fails, the others still get their turn; then the first error is thrown. */
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
        await scanIfDue()
        startWoken()
        await turnOfEach()
      } while (comparing.size > 0 && !stopping?.aborted)
    },
  }
}

async function* pagesBehind(ports: ComparePorts): AsyncGenerator<WorkspaceId[]> {
  for await (const page of checkpointPages(ports.documents, workspacesAtOnce, ['indexed'])) {
    yield await thoseBehind(ports, page)
  }
}

async function thoseBehind({ documents }: ComparePorts, page: readonly Pick<Checkpoint, 'id' | 'indexed'>[]) {
  const ids = page.map(({ id }) => id)
  const progress = await documents.find(comparisons, { where: { id: { in: ids } }, limit: ids.length })
  const compared = new Map(progress.map((one) => [one.id, one.compared]))
  return page.filter(({ id, indexed }) => (compared.get(id) ?? 0) < indexed).map(({ id }) => id)
}
