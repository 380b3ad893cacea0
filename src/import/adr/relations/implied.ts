/** Reads relations that a text states without a sentence: by words in brackets, or by a status beside a link. */
import { supersededFor, wordKey } from '../document/dictionary.ts'
import type { Inline } from '../document/markdown.ts'
import { statusAtStart } from '../metadata/status.ts'
import { isAboutOther, isReplacedPart } from '../metadata/status-meaning.ts'
import { fold, kindOfMarker } from './markers.ts'
import { type Relation, relations } from './relation.ts'
import { targetsIn } from './targets.ts'

/** `Related: [ADR 3] (amended), [ADR 4] (superseded by this record)`. */
export function rolesIn(sentence: string, inline: Inline, line: number): Relation[] {
  return [...sentence.matchAll(/((?:\uE000\d+\uE001|\bADR[\s-]?\d{1,5}))\s*\(([^()]{4,40})\)/giu)].flatMap((match) => {
    const role = fold(match[2] ?? '')
    // a record that is only `superseded` may be so by another one
    const done = /^(?:(amend|refin|extend|clarifi)ed(?: by this\b.*)?|(?:supersed|replac)ed by this\b.*)$/.exec(role)
    const kind = done ? (done[1] ? 'amends' : 'supersedes') : kindOfMarker(role)
    return kind ? relations(kind, targetsIn(match[1] ?? '', inline, false), line, '', '') : []
  })
}

/** A status together with a link: `置換 → [ADR 20]`, `Superseded ([20](…))`, `廃止（[022](…)により）`. */
export function impliedByStatus(sentence: string, inline: Inline, line: number): Relation[] {
  const plain = sentence.replace(/\uE000\d+\uE001/g, ' ')
  if (isReplacedPart(plain)) return relations('amends', targetsIn(sentence, inline, false), line, '', '')
  const word = isAboutOther(plain) ? undefined : statusAtStart(plain)?.word
  const passive =
    /被.*(?:取代|替代|代替)|置換|置き換え|上書き|대체|(?:廃止|廃棄|폐기).*(?:により|によって|による|에 의해)/u.test(
      sentence,
    )
  if ((word !== 'superseded' && !passive) || notSuperseded.test(sentence)) return []
  // `ADR 37 を置き換えます`: this record replaces another one
  if (passive && /を\s*(?:置き換え(?!られ)|置換(?!され)|上書き(?!され))/u.test(sentence)) return []
  const targets = targetsIn(sentence, inline, false)
  const around = supersededFor.test(wordKey(plain)) ? 'partly' : fold(plain)
  return relations('superseded_by', targets, line, around, '')
}

const notSuperseded = /[未不没沒将將能会會拟]被|れ(?:てい)?(?:ない|ません)|대체되지/u
