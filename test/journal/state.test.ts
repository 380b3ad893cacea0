import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linksTo, linksToLookup } from '../../src/deciding/links.ts'
import { recordDecision } from '../../src/decisions/record.ts'
import type { RecordId, RecordKind } from '../../src/ids.ts'
import { collectionsOf } from '../../src/journal/carried.ts'
import { stateAtHead } from '../../src/journal/state.ts'
import { projections } from '../../src/projections.ts'
import type { TaskMutable } from '../../src/records/body.ts'
import { type Link, linkOf, links } from '../../src/records/link.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { apply, row, type World, workspace, world } from '../support/apply.ts'

const kinds: RecordKind[] = ['decision', 'task']
const waiting: ['read one by one' | 'read ahead' | 'made in this entry'][] = [
  ['read one by one'],
  ['read ahead'],
  ['made in this entry'],
]

describe('the state at head keeps records of two kinds with one external_id apart', () => {
  let on: World
  let decision: PrecedentRecord
  let task: PrecedentRecord
  beforeEach(async () => {
    on = await world()
    decision = await row(on, await apply(on, recordDecision, { title: 'A', judgment: 'We do A.', external_id: 'same' }))
    task = taskLike(decision)
  })
  afterEach(() => on.close())

  it.each(waiting)('if they are %s', async (how) => {
    const state = stateAtHead(on.documents, workspace, collectionsOf(projections))
    if (how === 'made in this entry') state.overlay({ created: [task], changed: [] })
    else await on.documents.insert(records, task)
    const wanted = kinds.map((kind) => ({ kind, audiences: ['workspace'] as const, externalId: 'same' }))
    if (how === 'read ahead') await state.prefetch([{ externalIds: wanted }])
    for (const { kind, id } of [decision, task]) {
      expect((await state.withExternalId(kind, ['workspace'], 'same')).map((one) => one.id)).toEqual([id])
    }
    expect(await state.withExternalId('question', ['workspace'], 'same')).toEqual([])
  })

  it.each(waiting)('if links wait for them and are %s', async (how) => {
    const state = stateAtHead(on.documents, workspace, collectionsOf(projections))
    const made = kinds.map((kind) => linkTo(kind))
    if (how === 'made in this entry') state.overlayDocuments({ links: made })
    else await on.documents.insertMany(links, made)
    if (how === 'read ahead') await state.prefetch([{ documents: [linksToLookup('later')] }])
    for (const { id, target_kind } of made) {
      expect((await linksTo(state, target_kind, 'later')).map((link) => link.id)).toEqual([id])
    }
    expect(await linksTo(state, 'memory', 'later')).toEqual([])
  })
})

describe('a decision with the external_id of a task', () => {
  let on: World
  beforeEach(async () => {
    on = await world()
    const seed = await row(on, await apply(on, recordDecision, { title: 'Seed', judgment: 'We do it.' }))
    await on.documents.insert(records, { ...taskLike(seed), external_id: 'same' })
  })
  afterEach(() => on.close())

  it('is a new decision, and can be superseded by that external_id', async () => {
    const older = await apply(on, recordDecision, { title: 'Old', judgment: 'We do so.', external_id: 'same' })
    expect(older.entity).toMatchObject({ type: 'decision' })
    const newer = await apply(on, recordDecision, { title: 'New', judgment: 'We do not.', supersedes: ['same'] })
    expect((await row(on, newer)).supersedes).toEqual([older.entity?.id])
    const rows = await on.documents.find(records, { where: { workspace }, limit: 10 })
    expect(rows.find(({ kind }) => kind === 'task')).toMatchObject({ revision: 1, superseded_by: null })
  })

  it('is superseded by an earlier decision that named its external_id', async () => {
    const newer = await apply(on, recordDecision, { title: 'New', judgment: 'We do not.', supersedes: ['same'] })
    expect((await row(on, newer)).supersedes).toEqual([])
    const older = await apply(on, recordDecision, { title: 'Old', judgment: 'We do so.', external_id: 'same' })
    expect((await row(on, older)).superseded_by).toBe(newer.entity?.id)
  })

  it('is not superseded through a link that waits for a task', async () => {
    const other = await apply(on, recordDecision, { title: 'Other', judgment: 'We do other things.' })
    await on.documents.insert(links, { ...linkTo('task'), target: 'next', successor: other.entity?.id as RecordId })
    const next = await apply(on, recordDecision, { title: 'Next', judgment: 'We do it next.', external_id: 'next' })
    expect((await row(on, next)).superseded_by).toBeNull()
  })
})

const taskId = '01990000-0000-7000-8000-000000000001' as RecordId

const taskContent: TaskMutable = {
  ...{ status: 'todo', priority: 'none', inbox_status: 'unread' },
  ...{ assignees: [], labels: [], decision_ids: [] },
  ...{ project: null, start_at: null, due_at: null, parent_id: null, repo_full_name: null },
}

function taskLike(decision: PrecedentRecord): PrecedentRecord {
  return { ...decision, id: taskId, record_id: taskId, kind: 'task', feed: 'work', body: {}, mutable: taskContent }
}

function linkTo(target_kind: RecordKind): Link {
  const successor = `01990000-0000-7000-8000-00000000000${target_kind.length}` as RecordId
  const common = { target: 'later', due: '2025-01-01T00:00:00.000Z', state: 'target', reason: null } as const
  return { ...linkOf({ ...common, successor, target_kind, audiences: ['workspace'] }), workspace, entry: 1 }
}
