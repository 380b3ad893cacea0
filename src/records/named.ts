/** Finds out which record of this service the id of a source or a reference means. */
import { v5 } from 'uuid'
import { questionIdPattern, type RecordId, uuidPattern, type WorkspaceId } from '../ids.ts'
import { isKind } from './kinds.ts'
import type { Envelope, Source } from './record.ts'

const questionNamespace = '0b9d7a52-7f0e-5b0c-8d63-9f5a1f0c7e42'

/** The record id of a question is derived from its question_id, so no look-up is needed. */
export function recordOfQuestion(workspace: WorkspaceId, questionId: string): RecordId {
  return v5(`${workspace}\n${questionId}`, questionNamespace) as RecordId
}

/**
 * The id of the record that a source names; undefined if it names something outside this service. Records have uuids of
 * version 7, questions also of version 5 or a question_id. Does not check that the record exists.
 */
export function namedRecord({ type, id }: Pick<Source, 'type' | 'id'>, workspace: WorkspaceId): RecordId | undefined {
  if (id === undefined || !isKind(type)) return undefined
  if (type === 'question' && questionIdPattern.test(id)) return recordOfQuestion(workspace, id)
  const isOurs = uuidPattern.test(id) && (id[14] === '7' || (type === 'question' && id[14] === '5'))
  return isOurs ? (id.toLowerCase() as RecordId) : undefined
}

type Sourced = Pick<Envelope, 'sources' | 'workspace'>

/**
 * The first sources up to, and including, the first that names no record: the first of them that a caller sees gives the
 * record's provenance.
 */
export function leadingSources({ sources, workspace }: Sourced): Source[] {
  const outside = sources.findIndex((source) => namedRecord(source, workspace) === undefined)
  return outside < 0 ? [...sources] : sources.slice(0, outside + 1)
}

/** The sources that name no record. Every caller who sees the record sees them. */
export function outsideSources({ sources, workspace }: Sourced): Source[] {
  return sources.filter((source) => namedRecord(source, workspace) === undefined)
}

/** The records that these sources name, so that one query can read all of them. */
export function namedIn(sources: readonly Source[], workspace: WorkspaceId): RecordId[] {
  return sources.flatMap((source) => namedRecord(source, workspace) ?? [])
}
