/** Takes the status and the relations of a record together. */

import type { Field } from '../metadata/field-line.ts'
import type { Status } from '../metadata/status.ts'
import type { Relation } from './relation.ts'

/** A record that names its successor is superseded, even if its status still says accepted or deprecated. */
export function supersededIf(
  status: Status | undefined,
  relations: readonly Relation[],
  successors: readonly Field[],
): Status | undefined {
  const successor = relations.find(({ kind }) => kind === 'superseded_by')
  // “Superseded by ADR 3 for the transport”: the rest of the record still holds
  const isInPart = relations.some(
    ({ kind, partial, line }) => kind === 'amended_by' && partial && line === status?.line,
  )
  if (!successor && isInPart && (status?.word === 'superseded' || status?.word === 'unknown'))
    return { ...status, word: 'accepted', partial: true }
  // a line below an open status, as adr-tools adds it. Elsewhere, a proposal only says what may replace it
  const isAdded = successors.some(({ from, line }) => from === 'section' && status !== undefined && line > status.line)
  const isOpen = status?.word === 'proposed' && !isAdded
  if (!successor || isOpen || status?.word === 'rejected') return status
  const isToldInText = successor.inText && status?.word === 'accepted'
  return {
    word: 'superseded',
    text: status?.text ?? successor.target.text,
    line: status?.line ?? successor.line,
    ...(isToldInText && { isToldInText }),
  }
}
