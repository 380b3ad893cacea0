/** What /readyz and the metrics tell of indexes that this version can't use. */
import { atMostEvery } from '../ports/at-most-every.ts'
import type { Clock } from '../ports/clock.ts'
import { outdatedIndexes, type Trouble } from './lost-indexes.ts'

/** ms. How often it looks at most. */
const lostFreshFor = 30_000
/** It looks only in this many workspaces. */
const lostAmong = 100

const indexIssues: Record<Trouble, string> = {
  lost: 'search: the index of a workspace is missing or outdated; maintain rebuilds it',
  older:
    'search: the index of a workspace is of an older version, which serves until maintain has filled one of this version',
  newer:
    'search: the index of a workspace is of a newer version of the service; searches wait until maintain has filled one of this version',
}

export type Counts = Record<Trouble, number>

type Looked = Parameters<typeof outdatedIndexes>[0] & { clock: Clock }

/** How many of the first workspaces have an index that this version can't use. */
export function outdatedCounts(ports: Looked, epoch: string): () => Promise<Counts> {
  const look = async () => {
    const counts: Counts = { lost: 0, older: 0, newer: 0 }
    for await (const { trouble } of outdatedIndexes(ports, epoch, lostAmong)) counts[trouble] += 1
    return counts
  }
  return atMostEvery(lostFreshFor, ports.clock, look)
}

/** For /readyz. */
export async function indexIssuesOf(outdated: () => Promise<Counts>): Promise<string[]> {
  // /readyz reports an unavailable engine separately
  const counts = await outdated().catch(() => undefined)
  if (counts === undefined) return []
  return (Object.keys(indexIssues) as Trouble[]).flatMap((trouble) => (counts[trouble] > 0 ? indexIssues[trouble] : []))
}
