/** Which record of this service is meant by an id that a source or a reference gives. */
import { v5 } from 'uuid'
import { type RecordId, uuidPattern, type WorkspaceId } from './ids.ts'
import type { Envelope, RecordKind, Source } from './record.ts'

const kinds: ReadonlySet<string> = new Set<RecordKind>(['memory', 'decision', 'question', 'task'])
/** Of the ids that questions have in answers (SEMANTICS 6). */
const questionForm = /^(?:fact|judgment|clarification):/

const questionNamespace = '0b9d7a52-7f0e-5b0c-8d63-9f5a1f0c7e42'

/** A question's record is found by its question_id alone: the id is made of it. */
export function recordOfQuestion(workspace: WorkspaceId, questionId: string): RecordId {
  return v5(`${workspace}\n${questionId}`, questionNamespace) as RecordId
}

/**
 * The id of the record that a source names; undefined: it names something else. Ids of this service are uuids of version
 * 7, of questions also of version 5 or a question_id. Whether there is such a record is not looked up.
 */
export function namedRecord({ type, id }: Pick<Source, 'type' | 'id'>, workspace: WorkspaceId): RecordId | undefined {
  if (id === undefined || !kinds.has(type)) return undefined
  if (type === 'question' && questionForm.test(id)) return recordOfQuestion(workspace, id)
  const isOurs = uuidPattern.test(id) && (id[14] === '7' || (type === 'question' && id[14] === '5'))
  return isOurs ? (id.toLowerCase() as RecordId) : undefined
}

/** Leading sources that are looked at to find out where a record is from. */
const mostLeading = 10

/** The sources that may say where a record is from: the first ones that name records, up to one that does not. */
export function leadingSources({ sources, workspace }: Pick<Envelope, 'sources' | 'workspace'>): Source[] {
  const first = sources.slice(0, mostLeading)
  const outside = first.findIndex((source) => namedRecord(source, workspace) === undefined)
  return outside < 0 ? first : first.slice(0, outside + 1)
}

/** The records that these name: to be read in one go, before it is asked of each whether it is seen. */
export function namedIn(sources: readonly Source[], workspace: WorkspaceId): RecordId[] {
  return sources.flatMap((source) => namedRecord(source, workspace) ?? [])
}
