/** What the reader may see of a store, in a store of its own. */
import { type Actor, audiencesOf } from '../../../src/access/actor.ts'
import { type RecordId, uuidPattern } from '../../../src/ids.ts'
import { checkpointOf, checkpoints } from '../../../src/journal/checkpoint.ts'
import { type Entry, entries } from '../../../src/journal/entry.ts'
import { entryOf, headOf } from '../../../src/journal/head.ts'
import { type Activity, activities } from '../../../src/records/activity.ts'
import type { DecisionMutable, MemoryBody, TaskMutable } from '../../../src/records/body.ts'
import { kinds } from '../../../src/records/kinds.ts'
import { links } from '../../../src/records/link.ts'
import { namedRecord } from '../../../src/records/named.ts'
import { outcomeKeyOf, outcomeKeys } from '../../../src/records/projections/outcomes.ts'
import { questionLinks, questionLinksOf } from '../../../src/records/projections/question-links.ts'
import { sourceKeys, sourceKeysOf } from '../../../src/records/projections/source-keys.ts'
import { taskKeys, taskKeysIn } from '../../../src/records/projections/tasks.ts'
import { mostSuccessors, type PrecedentRecord, records, type Successor } from '../../../src/records/record.ts'
import { searchDocumentOf } from '../../../src/records/search-document.ts'
import { successions } from '../../../src/records/succession.ts'
import { openWorld, type World, workspace } from '../apply.ts'
import { randomOf } from '../chaos.ts'
import { copyRuns } from './runs.ts'

/** A store with only the records that the actor may see, and only links between them. */
export async function visibleOnly(whole: World, all: readonly PrecedentRecord[], actor: Actor): Promise<World> {
  const part = await openWorld(randomOf(1))
  const visible = all.filter((row) => audiencesOf(actor).includes(row.audience))
  const ids = new Set<string>(visible.map((row) => row.record_id))
  const where = { workspace, successor: { in: [...ids] } }
  const further = (await whole.documents.find(successions, { where, limit: 10_000 }))
    .sort((a, b) => a.entry - b.entry)
    .map(({ successor: id, ...rest }) => ({ ...rest, id }))
  const stripped = visible.map((row) => withoutOthers(row, ids, further))
  const known = { workspace, successor: { in: [...ids] }, state: { in: ['taken', 'dated', 'on_hold'] as const } }
  const named = (await whole.documents.find(links, { where: known, limit: 10_000 })).filter(({ target }) =>
    ids.has(target),
  )
  await part.documents.insertMany(links, named)
  const checkpoint = await checkpointOf(whole.documents, workspace)
  await part.documents.insertMany(records, stripped)
  await part.documents.insertMany(sourceKeys, stripped.flatMap(sourceKeysOf).filter(isFirstOfItsId()))
  const outcomes = stripped.flatMap((row) => (row.kind === 'outcome' ? outcomeKeyOf(row) : []))
  await part.documents.insertMany(outcomeKeys, outcomes)
  const tasks = stripped.flatMap((row) => (row.kind === 'task' ? [row] : []))
  await part.documents.insertMany(taskKeys, tasks.flatMap(taskKeysIn))
  for (const { audience, record_id: task } of tasks)
    await part.documents.insertMany(activities, await activitiesOn(whole, audience, task))
  await copyRuns(
    whole,
    part,
    stripped.flatMap(({ kind, record_id }) => (kind === 'run' ? record_id : [])),
  )
  await part.documents.insertMany(
    questionLinks,
    stripped.filter((row) => row.kind === 'question').flatMap(questionLinksOf),
  )
  await part.documents.insert(checkpoints, checkpoint)
  const head = await headOf(whole.documents, workspace)
  const entry = (await entryOf(whole.documents, workspace, head.number)) as Entry | undefined
  if (entry) await part.documents.insert(entries, { ...entry, receipts: [], records: [], documents: {} })
  await part.search.create(checkpoint.live)
  const searched = stripped.filter(({ kind }) => kinds[kind].isIndexed)
  await part.search.upsert(checkpoint.live, await Promise.all(searched.map((row) => searchDocumentOf(row))))
  await part.search.refresh(checkpoint.live, workspace, { epoch: 'epoch', sequence: checkpoint.indexed_seq })
  return part
}

async function activitiesOn(whole: World, audience: Activity['audience'], task: Activity['task']): Promise<Activity[]> {
  const where = { workspace, audience, task, type: { in: ['comment', 'change', 'run'] } }
  return whole.documents.find(activities, { where, limit: 1_000 })
}

function isFirstOfItsId() {
  const seen = new Set<string>()
  return ({ id }: { id: string }) => !seen.has(id) && seen.add(id) !== undefined
}

function withoutOthers(
  row: PrecedentRecord,
  ids: ReadonlySet<string>,
  further: readonly (Successor & { target: RecordId })[],
): PrecedentRecord {
  const more = row.successors.length < mostSuccessors ? [] : further.filter(({ target }) => target === row.record_id)
  const successors = [...row.successors, ...more]
    .filter((successor) => ids.has(successor.id))
    .map(({ id, valid_from, reason }) => ({ id, valid_from, reason }))
  const kept = {
    sources: row.sources.filter((source) => ids.has(namedRecord(source, workspace) ?? row.record_id)),
    successors,
    superseded_by: successors[0]?.id ?? null,
    supersedes: row.supersedes.filter((id) => ids.has(id)),
  }
  if (row.kind === 'memory') return { ...row, ...kept, body: memoryBody(row.body, ids) }
  if (row.kind === 'decision') return { ...row, ...kept, mutable: decisionMutable(row.mutable, ids) }
  if (row.kind === 'outcome') return { ...row, ...kept }
  if (row.kind === 'task') return { ...row, ...kept, mutable: taskMutable(row.mutable, ids) }
  // a question is seen by those only who see all its records
  return row
}

function memoryBody({ corrects, ...body }: MemoryBody, ids: ReadonlySet<string>): MemoryBody {
  return corrects !== undefined && ids.has(corrects) ? { ...body, corrects } : body
}

function taskMutable({ parent_id, decision_ids, ...mutable }: TaskMutable, ids: ReadonlySet<string>): TaskMutable {
  const parent = parent_id !== null && ids.has(parent_id) ? parent_id : null
  return { ...mutable, parent_id: parent, decision_ids: decision_ids.filter((id) => ids.has(id)) }
}

function decisionMutable({ void_links = [], ...rest }: DecisionMutable, ids: ReadonlySet<string>): DecisionMutable {
  // an external_id does not show its record, so that is read from the store
  return { ...rest, void_links: void_links.filter(({ target }) => ids.has(target) || !uuidPattern.test(target)) }
}
