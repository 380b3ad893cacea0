/** How far the connected repositories are, over all workspaces. */
import type { Clock } from '../../ports/clock.ts'
import { rowsOf } from '../reading/repositories.ts'
import { repositoryStates } from '../stored/repository.ts'
import type { CodeReads } from '../stored/store.ts'

export interface RepositoryFigures {
  states: Readonly<Record<string, number>>
  /** Since when the one that is furthest behind is behind; 0: none is. */
  behindMs: number
  /** Skipped files by reason. */
  skipped: Readonly<Record<string, number>>
}

export async function repositoryFiguresOf(code: CodeReads, clock: Clock): Promise<RepositoryFigures> {
  const rows = await rowsOf(code.connected, await code.open())
  const states: Record<string, number> = Object.fromEntries(repositoryStates.map((state) => [state, 0]))
  const skipped: Record<string, number> = {}
  let behindMs = 0
  for (const { id } of code.connected) {
    const row = rows.get(id)
    const state = row?.state ?? 'pending'
    states[state] = (states[state] ?? 0) + 1
    for (const [reason, count] of Object.entries(row?.skipped ?? {})) skipped[reason] = (skipped[reason] ?? 0) + count
    if (row?.behind_since) behindMs = Math.max(behindMs, clock.now() - Date.parse(row.behind_since))
  }
  return { states, behindMs, skipped }
}
