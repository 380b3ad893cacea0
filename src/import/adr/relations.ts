/** Reads from a record which other records it supersedes or amends, and which ones supersede or amend it. */

import { fieldWords, ownSubject, partialWords, partOfIt } from './document/dictionary.ts'
import type { AdrDocument } from './document/document.ts'
import { type Inline, parseInline } from './document/markdown.ts'
import { type Unit, unitsBetween } from './document/units.ts'
import { type Field, nearestKnown } from './fields.ts'
import { isPlaceholder } from './placeholder.ts'
import { statusAtStart } from './status.ts'
import { reasonIn, type Target, targetsIn } from './targets.ts'

export type RelationKind = 'supersedes' | 'superseded_by' | 'amends' | 'amended_by'

export interface Relation {
  kind: RelationKind
  target: Target
  line: number
  reason?: string
  /** The text says that only a part is superseded, so this is an amendment. */
  partial?: true
}

const kindsOfRelation = ['superseded_by', 'amended_by', 'supersedes', 'amends'] as const
const inverse = {
  supersedes: 'superseded_by',
  superseded_by: 'supersedes',
  amends: 'amended_by',
  amended_by: 'amends',
} as const
const partialOf = {
  supersedes: 'amends',
  superseded_by: 'amended_by',
  amends: 'amends',
  amended_by: 'amended_by',
} as const
const more: Record<RelationKind, string> = {
  superseded_by:
    'deprecated in favor of|deprecated in favour of|in favor of|in favour of|supplanted by|overruled by|made obsolete by|zugunsten von',
  amended_by: '',
  supersedes: 'deprecates|supplants|overrules|makes obsolete|we supersede|we hereby supersede',
  amends: 'amending',
}
/** The longest first, so that `ersetzt durch` is found before `ersetzt`. */
const markers = kindsOfRelation
  .flatMap((kind) => `${fieldWords[kind]}|${more[kind]}`.split('|').map((word) => [markerOf(word), kind] as const))
  .filter(([word]) => word !== '')
  .sort(([a], [b]) => b.length - a.length)
const kindOfMarker = new Map(markers.map(([word, kind]) => [word, kind]))
const markerPattern = new RegExp(
  `(?<!\\p{L})(?:${markers.map(([word]) => word.replace(/[.*+?()|[\]\\]/g, '\\$&').replace(/ /g, '[\\s_-]+')).join('|')})(?!\\p{Script=Latin}|\\p{Script=Cyrillic})`,
  'gu',
)
const anyMarker = new RegExp(markerPattern.source, 'u')
const mostRelations = 200
const mostUnits = 4000

type Place = 'status' | 'links' | 'body'

export function readRelations(document: AdrDocument, fields: readonly Field[]): Relation[] {
  const found: Relation[] = []
  for (const { kind, source, line } of fields) {
    if (isPlaceholder(source)) continue
    const inline = parseInline(source, document.definitions)
    if (kind === 'status') found.push(...relationsIn(inline, line, 'status'))
    else if (kind in inverse) found.push(...labelled(kind as RelationKind, inline, line))
    else if (kind === 'relates') found.push(...relationsIn(inline, line, 'links'))
  }
  for (const section of document.sections) {
    if (section.kind !== 'links' || nearestKnown(section)?.kind === 'links') continue
    const own = kindOfMarker.get(markerOf(section.heading))
    for (const { source, line } of statements(unitsBetween(document, section.bodyStart, section.end))) {
      const inline = parseInline(withoutExamples(source), document.definitions)
      found.push(...(own ? labelled(own, inline, line) : relationsIn(inline, line, 'links')))
    }
  }
  return unique([...found, ...relationsOfBody(document)]).slice(0, mostRelations)
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
    const said = withoutExamples(source)
    return anyMarker.test(fold(said)) ? relationsIn(parseInline(said, document.definitions), line, 'body') : []
  })
}

/** A quotation that begins with `[!NOTE]` is a note of the record itself. */
const isAlert = (text: string, offset: number) => /^(?:> ?)?\[![A-Z]+\]/.test(text.slice(offset, offset + 20))

/** Without code and quoted words that contain a marker: `"superseded by ADR 3"` is an example. */
function withoutExamples(source: string): string {
  return source.replace(/`[^`\n]{1,300}`|["“«][^"”»\n]{1,300}["”»]/gu, (quoted) =>
    anyMarker.test(fold(quoted)) ? ' ' : quoted,
  )
}

/** Joins the lines of a paragraph or list item, because a sentence may continue on the next line. */
function statements(units: readonly Unit[]): Unit[] {
  const whole: Unit[] = []
  for (const unit of units) {
    const last = whole.at(-1)
    if (unit.continues && last && last.source.length < 4000) last.source += `\n${unit.source}`
    else whole.push({ ...unit })
  }
  return whole
}

function relationsIn(inline: Inline, line: number, place: Place): Relation[] {
  return sentences(inline.marked).flatMap((sentence) => relationsOfSentence(sentence, inline, line, place))
}

function relationsOfSentence(sentence: string, inline: Inline, line: number, place: Place): Relation[] {
  const folded = fold(sentence)
  const marks = [...folded.matchAll(markerPattern)]
  const found: Relation[] = []
  for (const [at, mark] of marks.entries()) {
    const kind = kindOfMarker.get(markerOf(mark[0]))
    if (!kind) continue
    const before = folded.slice(0, mark.index)
    const after = sentence.slice(mark.index + mark[0].length, marks[at + 1]?.index)
    const targets = targetsIn(after, inline, place === 'status')
    // in `[ADR 3] is superseded by this one`, the reference comes first
    const said = /^\s*(?:this|the present|dies|cette|este|esta|questa)\b/.test(fold(after))
    const earlier = targetsIn(sentence.slice(marks[at - 1]?.index ?? 0, mark.index), inline, false)
    if (said && targets.length === 0 && earlier.length > 0 && !unreal.test(before.trim())) {
      found.push(...relations(inverse[kind], earlier, line, before, ''))
      continue
    }
    if (targets.length === 0 || !isAboutThisRecord(before, fold(mark[0]), kind, place)) continue
    const around = isAboutPart(before, kind, place) ? 'partly' : `${before} ${fold(after).slice(0, 20)}`
    found.push(...relations(kind, targets, line, around, reasonIn(after, inline)))
  }
  if (found.length > 0) return found
  if (place === 'status') return implied(sentence, inline, line)
  const ends = /本(?:決定|ADR|レコード)(?:により|によって).*(?:終了|廃止|置換|置き換え)/u.test(sentence)
  return ends ? relations('supersedes', targetsIn(sentence, inline, false), line, '', '') : []
}

/** A status together with a link: `置換 → [ADR 20]`, `Superseded ([20](…))`, `廃止（[022](…)により）`. */
function implied(sentence: string, inline: Inline, line: number): Relation[] {
  const plain = sentence.replace(/\uE000\d+\uE001/g, ' ')
  const word = statusAtStart(plain)?.word
  const passive =
    /被.*(?:取代|替代|代替)|置換|置き換え|上書き|대체|(?:廃止|廃棄|폐기).*(?:により|によって|による|에 의해)/u.test(
      sentence,
    )
  if (word !== 'superseded' && !passive) return []
  const targets = targetsIn(sentence, inline, false)
  return relations('superseded_by', targets, line, fold(plain), '')
}

/** Relations in the value of a label: in its first sentence, and in each sentence that begins with a link. */
function labelled(kind: RelationKind, inline: Inline, line: number): Relation[] {
  const whole = sentences(inline.marked)
  const said = whole.filter((text, at) => at === 0 || /^\s*\uE000/.test(text))
  return said.flatMap((text) => {
    // the value may name another relation: `Links: Superseded by …`
    const other = relationsOfSentence(text, inline, line, 'links')
    if (other.length > 0) return other
    const start = partialWords.test(fold(text).slice(0, 20)) ? fold(text).slice(0, 20) : ''
    return relations(kind, targetsIn(text, inline, true), line, start, reasonIn(text, inline))
  })
}

function relations(kind: RelationKind, targets: Target[], line: number, around: string, reason: string): Relation[] {
  const all = partialWords.test(around) || partOfIt.test(around.trim())
  return targets.map(({ partial: one, ...target }) => {
    const partial = (all || one === true) && partialOf[kind] !== kind
    return {
      kind: partial ? partialOf[kind] : kind,
      target,
      line,
      ...(reason === '' ? {} : { reason }),
      ...(partial ? { partial: true as const } : {}),
    }
  })
}

/** The end of a text before a marker that says that it is not so, or not yet. */
const unreal =
  /(?:\bnot|n't|\bnever|\bno longer|\bmay|\bmight|\bcould|\bwould|\bwill|\bcan|\bshould|\bif|\bwhen|\buntil|\bnicht|\bpas|\bno|не)(?:\s+(?:be|been|yet|later))*\s*$/

/** Whether the text before a marker such as `supersedes` allows the record itself as the subject of the sentence. */
function isAboutThisRecord(before: string, marker: string, kind: RelationKind, place: Place): boolean {
  const start = before.trim()
  if (unreal.test(start)) return false
  if (start.includes('\uE000')) return false
  if (place === 'body') {
    // `extends the structure of [ADR 3]` is about a structure, but a sentence with `supersedes` is about this record
    const plain = /supers|superc/.test(marker) && kind === 'supersedes'
    const strict = kind === 'supersedes' || kind === 'superseded_by' || /amend|modif|ander/.test(marker)
    return plain || (strict && (/^[^\p{L}]*$/u.test(start) || ownSubject.test(start) || partOfIt.test(start)))
  }
  const passive = kind === 'superseded_by' || kind === 'amended_by'
  return passive || start.split(/\s+/).length < 8
}

/** In a status such as `Accepted. The queue is superseded by …`, only the queue is. */
function isAboutPart(before: string, kind: RelationKind, place: Place): boolean {
  if (kind !== 'superseded_by' || place !== 'status') return false
  if (/\b(?:portions?|parts?|(?:sub)?sections?|aspects?)\b/.test(before)) return true
  const subject = /^(.*\S)\s+(?:is|are|was|were|(?:has|have) been)\s*$/s.exec(before)?.[1] ?? ''
  const words = subject.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !statusAtStart(word))
  return (
    words.length > 1 &&
    !ownSubject.test(words.join(' ')) &&
    !/^(?:it|but|and|the|adr|now|later|since)\b/.test(words.join(' '))
  )
}

function sentences(text: string): string[] {
  return text.split(
    /(?<=[.!?])\s+(?=[\p{Lu}\uE000])|(?<=[。！？])|\n(?=\s*[-*•]|(?:[^\p{L}\n]*(?:superse|superce|replaced|amend|deprecat|reject|accept)))/iu,
  )
}

function unique(found: readonly Relation[]): Relation[] {
  const seen = new Map<string, Relation>()
  for (const relation of found) {
    const key = JSON.stringify([relation.kind, relation.target.url ?? relation.target.text])
    const before = seen.get(key)
    if (!before) seen.set(key, relation)
    else if (before.reason === undefined && relation.reason !== undefined)
      seen.set(key, { ...before, reason: relation.reason })
  }
  return [...seen.values()]
}

function markerOf(word: string): string {
  return fold(word)
    .replace(/[\s_-]+/g, ' ')
    .trim()
}

/** Lower case, without the accents of Latin letters. Every letter keeps its offset. */
function fold(text: string): string {
  return text.toLowerCase().length === text.length
    ? text.toLowerCase().replace(/[\u00c0-\u024f]/g, (letter) => letter.normalize('NFD').charAt(0))
    : text
}
