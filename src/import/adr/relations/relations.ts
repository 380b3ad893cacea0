/** Reads from a record which other records it supersedes or amends, and which ones supersede or amend it. */

import { partialWords } from '../document/dictionary.ts'
import type { AdrDocument } from '../document/document.ts'
import { nearestKnown } from '../document/headings.ts'
import { type Inline, parseInline } from '../document/markdown.ts'
import { isPlaceholder } from '../document/placeholder.ts'
import { unitsBetween } from '../document/units.ts'
import { alertMark, isAlert } from '../metadata/examples.ts'
import { type Field, startsWithLabel } from '../metadata/field-line.ts'
import { readStatus } from '../metadata/status.ts'
import { saysStillInForce } from '../metadata/status-meaning.ts'
import { conditional, isAsserted } from './asserted.ts'
import { enclosedIn, isSubject, mayEnclose } from './enclosed.ts'
import { impliedByStatus, rolesIn } from './implied.ts'
import { relationInTitle } from './in-title.ts'
import { anyMarker, fold, kindOfMarker, markerPattern, type RelationKind } from './markers.ts'
import { beginsForSome, isOfApart, isPartOfOther, isPartOfRecord, tellsExtent } from './part.ts'
import { inverse, type Relation, relations, unique } from './relation.ts'
import { clauseOf, leavesUnchanged, sentences } from './sentences.ts'
import { joinedLines, statements, withoutExamples } from './statements.ts'
import { isAboutThisRecord, own, ownPart, ownVerb, type Place, subjectNumber } from './subject.ts'
import { reasonIn, type Target, targetsIn } from './targets.ts'

const mostRelations = 200
const mostUnits = 4000

/** `ownNumbers`: those in the title of the record and in the name of its file. */
export function readRelations(
  document: AdrDocument,
  fields: readonly Field[],
  ownNumbers: readonly number[] = [],
): Relation[] {
  const found: Relation[] = []
  const inTitle = relationInTitle(document.title?.source ?? '')
  if (inTitle !== undefined) found.push(...relationsIn(parseInline(inTitle), document.title?.line ?? 1, 'head'))
  for (const { kind, source, line } of joinedLines(fields)) {
    if (isPlaceholder(source)) continue
    const inline = parseInline(source, document.definitions)
    if (kind === 'status') found.push(...relationsIn(inline, line, 'status'))
    else if (kind in inverse) found.push(...labelled(kind as RelationKind, inline, line))
    else if (kind === 'relates') found.push(...relationsIn(inline, line, 'links'))
  }
  for (const section of document.sections) {
    if (section.kind !== 'links' || nearestKnown(section)?.kind === 'links') continue
    const own = kindOfMarker(section.heading)
    for (const { source, line } of statements(unitsBetween(document, section.bodyStart, section.end))) {
      const inline = parseInline(withoutExamples(source), document.definitions)
      found.push(...(own ? labelled(own, inline, line) : relationsIn(inline, line, 'links')))
    }
  }
  found.push(...relationsOfBody(document))
  const names = found.some(({ kind, partial }) => kind === 'superseded_by' || (kind === 'amended_by' && partial))
  if (!names && readStatus(fields)?.word === 'superseded') found.push(...successorInLead(document))
  const own = found.filter(({ subject, ifNewer, target }) => {
    return (subject === undefined || ownNumbers.includes(subject)) && (!ifNewer || isNewer(target, ownNumbers))
  })
  return unique(own).slice(0, mostRelations)
}

function isNewer({ url, text }: Target, ownNumbers: readonly number[]): boolean {
  const number = Number(/\d{1,5}/.exec(url?.split('/').at(-1) ?? text)?.[0])
  return ownNumbers.length > 0 && number > Math.max(...ownNumbers)
}

/** `For new services, this`. */
const namesItself = /(?<!\p{L})(?:this|diese?[rs]?|cette?|est[ae])(?:\s+(?:adr|record|decision|entscheidung))?\s*$/u

/** Something else is the subject: `Queues and retries are superseded by [ADR 12]`. */
const namesNoRecord = (before: string) => !/\uE000|(?<!\p{L})adrs?(?!\p{L})/u.test(before)

/**
 * The status says only that the record is superseded. Then the first paragraph may name the successor, also as that of a
 * part: `The packaging is superseded by [ADR 5]`.
 */
function successorInLead(document: AdrDocument): Relation[] {
  const end = document.sections[0]?.start ?? document.text.length
  const [first] = statements(unitsBetween(document, 0, end))
  if (first === undefined || startsWithLabel(first)) return []
  const inline = parseInline(withoutExamples(first.source), document.definitions)
  return relationsIn(inline, first.line, 'status').flatMap(({ partial, ...relation }) => {
    const isSuccessor = relation.kind === 'superseded_by' || (relation.kind === 'amended_by' && partial)
    const isReference = relation.target.url !== undefined || /\d/.test(relation.target.text)
    return isSuccessor && isReference ? [{ ...relation, kind: 'superseded_by' as const }] : []
  })
}

/** Sentences such as `This record supersedes …` anywhere except in sections about options. */
function relationsOfBody(document: AdrDocument): Relation[] {
  const apart = document.sections.filter(
    ({ kind }) => kind === 'status' || kind === 'links' || kind === 'options' || kind === 'details',
  )
  const units = unitsBetween(document, 0, document.text.length).slice(0, mostUnits)
  const preambleEnd = document.sections[0]?.start ?? document.text.length
  return statements(units).flatMap(({ source, line, offset, quoted }) => {
    if (apart.some((section) => offset >= section.start && offset < section.end)) return []
    // above the first section, a quotation is a banner; below it, an example
    if (quoted && offset >= preambleEnd && !isAlert(document.text, offset)) return []
    const said = withoutExamples(source).replace(alertMark, '')
    if (!anyMarker.test(fold(said)) && !mayEnclose.test(said)) return []
    const inline = parseInline(said, document.definitions)
    if (offset < preambleEnd) return relationsIn(inline, line, 'head')
    return relationsIn(inline, line, 'body').map((relation) => ({ ...relation, inText: true as const }))
  })
}

function relationsIn(inline: Inline, line: number, place: Place): Relation[] {
  return sentences(inline.marked).flatMap((sentence) => relationsOfSentence(sentence, inline, line, place))
}

function relationsOfSentence(sentence: string, inline: Inline, line: number, place: Place): Relation[] {
  const folded = fold(sentence)
  const enclosed = enclosedIn(sentence, folded)
  if (enclosed && (place === 'status' || isSubject(enclosed.before))) {
    const { kind, before, between, after } = enclosed
    // `被 ADR 3 取代;配色仍有效`: only a part is replaced
    const isPart = isPartOfRecord(`${before} ist`) || saysStillInForce(place === 'status' ? inline.marked : after)
    const around = isPart ? 'partly' : sentence
    return relations(kind, targetsIn(between, inline, false), line, around, '')
  }
  const marks = [...folded.matchAll(markerPattern)]
  const found: Relation[] = []
  for (const [at, mark] of marks.entries()) {
    const kind = kindOfMarker(mark[0])
    if (!kind || (isActive(kind) && isPassive(sentence, mark, place))) continue
    // `partially supersedes [ADR 3] · partially supersedes [ADR 4]`
    const before =
      folded
        .slice(0, mark.index)
        .split(/\s[·•|]\s/)
        .at(-1) ?? ''
    const end = mark.index + mark[0].length
    if (!isAsserted(before, fold(mark[0]), fold(sentence.slice(end)))) continue
    const clause = clauseOf(sentence.slice(end, marks[at + 1]?.index))
    const after = isActive(kind) && (place === 'body' || place === 'head') ? clause.replace(seeOther, ' ') : clause
    const object = fold(after)
    const list = /^\s*[:：]/.test(after) ? 'label' : 'prose'
    const targets = targetsIn(after, inline, place === 'status' && !own.test(object), list)
    const earlier = targetsIn(sentence.slice(marks[at - 1]?.index ?? 0, mark.index), inline, false)
    if (isNothing.test(object) || (kind === 'amends' && leavesUnchanged.test(object))) continue
    const ifEver = conditional.test(before)
    if (ifEver && isActive(kind) === own.test(object)) continue
    const isForSome = beginsForSome(before)
    // in `[ADR 3] is superseded by this one`, the reference comes first
    if (targets.length === 0 && earlier.length > 0 && own.test(object)) {
      const around = ownPart.test(object) || isForSome ? 'partly' : before
      found.push(...relations(inverse[kind], earlier, line, around, ''))
    }
    // so it does in `[ADR 3]: this record supersedes its queue`
    else if (targets.length === 0 && earlier.length === 1 && ownVerb.test(before))
      found.push(...relations(kind, earlier, line, /\p{L}/u.test(object) ? 'partly' : '', ''))
    // `This supersedes [ADR 3] and amends [ADR 4]`
    const conjunct = before.split(conjunction).at(-1) ?? ''
    const isConjunct = found.length > 0 && tellsExtent(conjunct)
    if (targets.length === 0) continue
    const isOwn = isForSome && namesItself.test(before)
    if (!isConjunct && !isOwn && !isAboutThisRecord(before, fold(mark[0]), object, kind, place)) {
      if (place === 'head' && !isActive(kind) && namesNoRecord(before))
        found.push(...relations('amended_by', targets, line, '', '').map((one) => ({ ...one, ifNewer: true as const })))
      continue
    }
    const isPart =
      partialWords.test(mark[0]) ||
      isForSome ||
      (kind === 'supersedes' && isPartOfOther(beforeReference(object))) ||
      (kind === 'superseded_by' && place === 'status' && isPartOfRecord(before)) ||
      (kind === 'superseded_by' && place === 'links' && isPartOfRecord(withoutLabel(before))) ||
      (kind === 'superseded_by' && place === 'head' && isOfApart(before))
    const around = isPart ? 'partly' : `${isConjunct ? conjunct : before} ${leadOf(after)}`
    const subject = subjectNumber(before)
    const said = relations(kind, targets, line, around, reasonIn(after, inline))
    found.push(...(subject === undefined ? said : said.map((one) => ({ ...one, subject }))))
  }
  if (place === 'links') found.push(...rolesIn(sentence, inline, line))
  if (found.length > 0) return found
  if (place === 'status') return impliedByStatus(sentence, inline, line)
  const ends = /本(?:決定|ADR|レコード)(?:により|によって).*(?:終了|廃止|置換|置き換え)/u.test(sentence)
  return ends ? relations('supersedes', targetsIn(sentence, inline, false), line, '', '') : []
}

/** Between two verbs: `supersedes [ADR 3], fully replaces [ADR 4]`. */
const conjunction = /,|(?<!\p{L})(?:and|und|et|y|e)\s/u
/** In prose, this names no object: `replaces cron (see [ADR 3] for the reasons)`. */
const seeOther = /[(（]\s*(?:also\s+)?(?:see|cf\.?|vgl\.?|siehe|voir|v[eé]ase|veja|vedi|zie)\s[^()（）]*[)）]/giu

/** `2024-05-02: the interval was` without the day. */
const withoutLabel = (before: string) => before.split(/[:：]\s+/u).at(-1) ?? ''

/** What follows the verb in “Amends nothing”. */
const isNothing = /^[^\p{L}\uE000]*(?:nothing|none|rien|nichts|nada)(?!\p{L})/u

const isActive = (kind: RelationKind) => kind === 'supersedes' || kind === 'amends'

/** Without accents, “remplacé” (replaced) looks like “remplace” (replaces). In a status, `Ersetzt → [ADR 3]` is “replaced”. */
function isPassive(sentence: string, { 0: verb, index }: RegExpExecArray, place: Place): boolean {
  const end = index + verb.length
  if (sentence.slice(index, end).endsWith('é')) return true
  return place === 'status' && verb === 'ersetzt' && /^\s*(?:[→(:,–—-]|->)/u.test(sentence.slice(end))
}

/** Relations in the value of a label: in its first sentence, and in each sentence that begins with a link. */
function labelled(kind: RelationKind, inline: Inline, line: number): Relation[] {
  const whole = sentences(inline.marked)
  const said = whole.filter((text, at) => at === 0 || /^\s*\uE000/.test(text))
  return said.flatMap((value) => {
    const [text = '', ...further] = value.split(furtherVerb)
    const clauses = further.flatMap((clause) => relationsOfSentence(clause, inline, line, 'links'))
    return [...labelledSentence(kind, text, inline, line), ...clauses]
  })
}

function labelledSentence(kind: RelationKind, text: string, inline: Inline, line: number): Relation[] {
  if (isNothing.test(fold(text)) || (kind === 'amends' && leavesUnchanged.test(fold(text)))) return []
  // the value may name another relation: `Links: Superseded by …`
  const other = relationsOfSentence(text, inline, line, 'links')
  if (other.length > 0) return other
  const isPart =
    partialWords.test(leadOf(text)) || (kind === 'supersedes' && isPartOfOther(beforeReference(fold(text))))
  const start = isPart ? 'partly' : ''
  return relations(kind, targetsIn(text, inline, true, 'label'), line, start, reasonIn(text, inline))
}

/** In `Amends: [ADR 3], extends [ADR 4]`, the comma before the second verb. */
const furtherVerb = /[,;]\s+(?=(?:(?:and|also)\s+)?(?:amends|extends|supersedes|replaces|refines|clarifies)\s)/iu

/** The words before the first link. */
const leadOf = (text: string) => beforeReference(fold(text)).slice(0, 20)

/** Without the colon of a label. */
const beforeReference = (folded: string) =>
  (folded.split(/\uE000|(?<!\p{L})[ml]?adrs?[\s#-]*\d|\b0\d{3}\b/u, 1)[0] ?? '').replace(/^[\s:：*_]+/u, '')
