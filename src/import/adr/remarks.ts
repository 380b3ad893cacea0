/** What the metadata of a record says beyond its fields: remarks on the status, reasons, and what limits a relation. */

import { partialWords } from './document/dictionary.ts'
import { sectionKind } from './document/headings.ts'
import { plainText } from './document/markdown.ts'
import type { Field } from './metadata/field-line.ts'
import { isReasonOfStatus } from './metadata/reasons.ts'
import { statusAtStart } from './metadata/status.ts'
import { namesPart } from './relations/part.ts'

/** The text of a status section that contains more than the status. */
export function statusRemarks(fields: readonly Field[]): string[] {
  const ofStatus = ({ kind, from }: Field) => from === 'section' && (kind === 'status' || kind === 'other')
  const lines = fields.filter(ofStatus).map(({ source }) => source)
  const remarks = lines.join('\n').trim()
  return lines.length > 1 || remarks.length > 40 ? [remarks] : []
}

/** What says which part of another record is superseded or amended, and what of it still holds. */
export function limitingRemarks(fields: readonly Field[]): string[] {
  return fields.flatMap(({ told }) => {
    if (told === undefined) return []
    const beside = plainText(told.replace(/\[[^[\]\n]*\](?:\([^()\n]*\))?/g, ' '))
    return namesPart(beside) || partialWords.test(beside.toLowerCase()) ? [told] : []
  })
}

/** `Reason: too dear`, `Disposition: Rejected because …`. */
export function isReason(line: string, status: string | undefined): boolean {
  const [, label = '', value = ''] = /^[^\p{L}]*([^:：]{1,60}?)[*_`]*\s*[:：][*_`]*\s*(.*)$/su.exec(line) ?? []
  return (
    sectionKind(label) === 'rationale' ||
    (statusAtStart(plainText(value)) !== undefined && isReasonOfStatus(value, status))
  )
}

/** `Status: Rejected because …` on a line of metadata. A superseded record says why its successor came, not why it was made. */
export function reasonsBesideStatus(fields: readonly Field[]): string[] {
  return fields.flatMap(({ kind, from, source }) => {
    if (kind !== 'status' || from === 'section') return []
    const word = statusAtStart(plainText(source))?.word
    const isTold = word !== undefined && word !== 'superseded' && /\p{L}.*\s.*\p{L}/su.test(source)
    return isTold && isReasonOfStatus(source, undefined) ? [`Status: ${source}`] : []
  })
}
