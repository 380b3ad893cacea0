/** A notice of a run, and its run, as projection leaves them in the store. */
import assert from 'node:assert/strict'
import { systemClock } from '../../src/adapters/system-clock.ts'
import type { Audience, RecordId, WorkspaceId } from '../../src/ids.ts'
import type { Documents } from '../../src/ports/documents.ts'
import { type PrecedentRecord, records } from '../../src/records/record.ts'
import { type Notice, notices } from '../../src/runs/stored/notice.ts'

export const noticedTask = '0199aaaa-0000-7000-8000-00000000ffff' as RecordId
export const noticedWorkspace = '00000000-0000-7000-8000-0000000000aa' as WorkspaceId

export async function storeNotice(
  documents: Documents,
  {
    audience = 'workspace',
    at = new Date().toISOString(),
    type = 'failed',
  }: { audience?: Audience; at?: string; type?: Notice['type'] } = {},
): Promise<Notice> {
  const [id, run] = [systemClock.id() as RecordId, systemClock.id() as RecordId]
  assert(await documents.insert(records, rowOf(run, audience, at)))
  const notice = { id, workspace: noticedWorkspace, run, type, at, due: at, tries: 0, entry: 1 }
  assert(await documents.insert(notices, notice))
  return notice
}

function rowOf(id: RecordId, audience: Audience, at: string): PrecedentRecord {
  return {
    ...{ id, record_id: id, workspace: noticedWorkspace, audience, seq: 0, revision: 1, kind: 'run', feed: 'none' },
    ...{ title: 'Pay the supplier', text: 'With the secret plan.', status: 'accepted', invalidated_at: null },
    ...{ valid_from: at, valid_to: null, superseded_by: null, successors: [], supersedes: [], sources: [] },
    ...{ topics: [], category: null, significance: null, surface: null, entities: [], outcome_status: null },
    ...{ confidence: null, external_id: null, content_hash: '', created_at: at, created_by: 'ada', updated_at: at },
    ...{ accepted: at, memory_kind: null, body: { task: noticedTask, number: 3 }, mutable: {} },
  } as unknown as PrecedentRecord
}
