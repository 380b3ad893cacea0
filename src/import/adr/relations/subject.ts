/** Tells whether a sentence is about the record itself. */
import { ownSubject, partOfIt } from '../document/dictionary.ts'
import type { RelationKind } from './markers.ts'
import { partOfRecord, tellsExtent } from './part.ts'

/** `head`: above the first section, among the metadata. */
export type Place = 'status' | 'links' | 'head' | 'body'

/** The record, as the object of a verb. */
export const own = /^\s*(?:this|the present|dies|cette|este|esta|questa)(?!\p{L})/u
/** Only a part of the record is the object of the verb: `[ADR 3] replaces this queue`. */
export const ownPart =
  /^\s*(?:this|the present|diese[nrs]?|cette|este|esta|questa)\s+(?!(?:whole |entire |earlier |old )?(?:adr|decision|record|document|rfc|proposal|one|by|with|par|durch|in|because|since|as|for|and|entscheidung)(?!\p{L}))\p{L}/u
/** The record, directly before its verb. */
export const ownVerb = /\b(?:this|the present) (?:adr|record|decision|rfc|document|one)\s+$/u

/** A clause further on in a sentence: `…, and this decision supersedes`. */
const ownClause =
  /^\s*(?:(?:and|und|et|并|並)\s*)?(?:(?:this|the present) (?:adr|decision|record|rfc|document)|本\s*(?:决策|決策|决定|決定|adr|记录|紀錄)|dies\p{L}{0,2} (?:entscheidung|adr)|cet(?:te)? (?:adr|decision))(?!\p{L})/u

/** The record that a relative clause is about: `see [ADR 24], which supersedes`, `by [ADR 24], which is itself superseded by`. */
const relative =
  /(?:\uE000\d+\uE001|(?<!\p{L})[ml]?adr[\s#-]*\d{1,5}|\b(?:an?|another|any|each|every|the) (?:\p{L}+ )?(?:new|newer|later|future|other) (?:adr|decision|record))\s*,?\s+(?:which|that|who|die|der|das|welche[rs]?|qui|que|che)(?:\s+(?:is|was|has been|in turn|already|also|fully|now|later|itself|partially|partly))*\s*$/u
/** `ADR 24 supersedes`: the number of the record that is the subject. */
const numberAsSubject =
  /(?:^|[.;:(（]\s*|(?<!\p{L})(?:because|since|that|when|while|weil|dass)\s+)(?:the\s+)?[ml]?adr[\s#-]*(\d{1,5})(?:\s*\([^()]*\))?(?:\s+(?:already|also|fully|now|later|itself|partially|partly))?\s*$/u

export function subjectNumber(before: string): number | undefined {
  const found = numberAsSubject.exec(before)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Without a subject, the record is meant: `Status: gültig · wird abgelöst durch ADR 4`. */
const auxiliary = /^(?:is|was|has been|wird|wurde|ist|est|es|foi)$/u

const ofPart = new RegExp(`^${partOfRecord}`, 'iu')
const otherThing =
  /^this (?!(?:adr|approach|choice|decision|document|one|proposal|record|rfc|solution)\b)\p{L}+ [^;]*, (?:it|they) (?:has|have|is|are|was|were)\b/u

/** Whether the text before a marker such as `supersedes` allows the record itself as the subject of the sentence. */
export function isAboutThisRecord(
  before: string,
  marker: string,
  after: string,
  kind: RelationKind,
  place: Place,
): boolean {
  // `Scope: none; amends [ADR 3]`
  const clause = before.split(/[;；，]\s*|,\s+/).at(-1) ?? ''
  const isOwn = ownClause.test(clause)
  const start = (isOwn ? clause : place === 'head' ? (before.split(/[;:]\s/).at(-1) ?? '') : before).trim()
  if (start.includes('\uE000') || relative.test(before)) return false
  // “This feature is no longer needed, it has been replaced by …” tells of a feature
  if (place === 'body' && kind === 'superseded_by' && otherThing.test(start)) return false
  if (place === 'body' || place === 'head') {
    // `extends the structure of [ADR 3]` is about a structure, but a sentence with `supersedes` is about this record
    const plain = /supers|superc/.test(marker) && kind === 'supersedes'
    const direct = /^\s*(?:l'|the )?\s*(?:adr\s*)?(?:\uE000|adr|#?\d)/.test(after) || ofPart.test(after)
    const strict = kind === 'supersedes' || kind === 'superseded_by' || direct || /amend|modif|ander/.test(marker)
    return (
      plain ||
      (strict &&
        (tellsExtent(start) ||
          (place === 'head' && auxiliary.test(start)) ||
          ownSubject.test(start) ||
          partOfIt.test(start)))
    )
  }
  const passive = kind === 'superseded_by' || kind === 'amended_by'
  return passive || start.split(/\s+/).length < 8
}
