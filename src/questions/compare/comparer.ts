/**
 * Schedules comparing (compare.ts): workspaces take turns, so that a long backlog of one does not delay the others.
 * Before each turn it pauses, for longer while writes wait.
 */
import type { WorkspaceId } from '../../ids.ts'
import { checkpointPages, comparedIn } from '../../journal/checkpoint.ts'
import { giveWay } from '../../journal/turns.ts'
import type { Documents } from '../../ports/documents.ts'
import { type ComparePorts, compareNext } from './compare.ts'

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
/** Pairs of rows after which a turn ends: a pause takes up to a second, so one after each row would take minutes. */
const mostPairs = 60

export function comparer(ports: ComparePorts, stopping?: AbortSignal): Comparer {
  const { clock } = ports
  const woken = new Set<WorkspaceId>()
  const comparing = new Map<WorkspaceId, ReturnType<typeof compareNext>>()
  let lastScan = Number.NEGATIVE_INFINITY
  /** ms of the last turn. */
  let took = 0
  const wake = (workspace: WorkspaceId) => void (woken.size < mostWoken && woken.add(workspace))

  async function scanIfDue(): Promise<void> {
    if (clock.elapsed() - lastScan < scanEvery) return
    lastScan = clock.elapsed()
    for await (const workspace of workspacesBehind(ports)) wake(workspace)
  }

  function startWoken(): void {
    for (const workspace of woken) {
      if (comparing.size >= mostAtOnce) return
      // it was woken again while running: it starts again when this run ends
      if (comparing.has(workspace)) continue
      woken.delete(workspace)
      comparing.set(workspace, compareNext(ports, workspace))
    }
  }

  /** Runs one turn of each workspace. If one fails, the others still get their turn; then the first error is thrown. */
  async function turnOfEach(): Promise<void> {
    const failures: unknown[] = []
    for (const [workspace, steps] of comparing) {
      if (stopping?.aborted) return
      try {
        const { done, value } = await turnOf(steps)
        if (!done) continue
        comparing.delete(workspace)
        // behind those that wait already
        if (value) wake(workspace)
      } catch (error) {
        comparing.delete(workspace)
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async function turnOf(steps: ReturnType<typeof compareNext>): Promise<IteratorResult<number, boolean>> {
    await giveWay(ports, took)
    const began = performance.now()
    let pairs = 0
    for (;;) {
      const step = await steps.next()
      took = performance.now() - began
      if (step.done || stopping?.aborted) return step
      pairs += step.value
      if (pairs >= mostPairs) return step
    }
  }

  return {
    wake,
    async look() {
      do {
        await scanIfDue()
        startWoken()
        await turnOfEach()
      } while (comparing.size + woken.size > 0 && !stopping?.aborted)
    },
  }
}

async function* workspacesBehind({ documents }: { documents: Documents }): AsyncGenerator<WorkspaceId> {
  for await (const page of checkpointPages(documents, workspacesAtOnce, ['indexed'])) {
    const ids = page.map(({ id }) => id)
    const compared = await comparedIn(documents, ids)
    for (const { id, indexed } of page) if ((compared.get(id) ?? 0) < indexed) yield id
  }
}
