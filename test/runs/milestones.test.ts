import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordId, WorkspaceId } from '../../src/ids.ts'
import { appendMilestones, closeMilestones, milestones, nextMilestone } from '../../src/runs/stored/milestone.ts'
import { openEngines, type TestEngines } from '../support/profile-engines.ts'

let engines: TestEngines
beforeEach(async () => {
  engines = await openEngines()
})
afterEach(() => engines.close())

const at = '2026-01-01T00:00:00.000Z'
const run = { workspace: 'w' as WorkspaceId, audience: 'workspace' as const, run: 'run-1' as RecordId }
const batch = (fence: number, ...titles: string[]) => ({
  ...{ ...run, fence, at },
  items: titles.map((title) => ({ at, type: 'milestone' as const, title, session_id: `run-1-${fence}` })),
})
const stored = async () => {
  const all = await engines.documents.find(milestones, {
    where: { workspace: run.workspace, run: run.run },
    sort: [['first', 'asc']],
    limit: 100,
  })
  return all.map(({ first, items }) => [first, ...items.map(({ title }) => title)])
}
const append = (fence: number, first: number, ...titles: string[]) =>
  appendMilestones(engines.documents, batch(fence, ...titles), first)

describe('appending milestones', () => {
  it('numbers them without a gap', async () => {
    expect(await nextMilestone(engines.documents, run)).toBe(1)
    expect(await append(1, 1, 'a', 'b')).toBe(3)
    expect(await append(1, 3, 'c')).toBe(4)
    expect(await stored()).toEqual([
      [1, 'a', 'b'],
      [3, 'c'],
    ])
  })

  it('stores a batch once if its answer was lost, also if others have followed', async () => {
    await append(1, 1, 'a')
    await append(2, 2, 'b')
    expect(await append(1, 1, 'a')).toBe(2)
    expect(await stored()).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
  })

  it('goes on after what another session has stored meanwhile', async () => {
    await append(1, 1, 'a', 'b')
    expect(await append(2, 1, 'c')).toBe(4)
    expect(await append(1, 3, 'd')).toBe(5)
    expect((await stored()).map(([first]) => first)).toEqual([1, 3, 4])
  })

  it('stores nothing after they are closed, and closes them once', async () => {
    await append(1, 1, 'a')
    await closeMilestones(engines.documents, run, { fence: 1, at })
    await closeMilestones(engines.documents, run, { fence: 2, at })
    expect(await append(1, 2, 'late')).toBe('closed')
    expect(await stored()).toEqual([[1, 'a'], [2]])
  })
})
