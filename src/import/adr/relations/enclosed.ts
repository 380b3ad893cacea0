/** Verbs around or behind their reference: `被 ADR-9 取代`, `wird durch ADR 9 ersetzt`, `ADR-9 を置き換え`. */
import { ownSubject, partialWords } from '../document/dictionary.ts'
import { namesPart } from './part.ts'

export interface Enclosed {
  kind: 'supersedes' | 'superseded_by' | 'amends' | 'amended_by'
  before: string
  /** The text with the reference. */
  between: string
}

const verbs: [Enclosed['kind'], RegExp][] = [
  ['superseded_by', /(?:已|现|現)?被\s*([^，。；]{1,80}?)\s*(?:部分)?(?:取代|替代|代替)/u],
  ['amended_by', /(?:已|现|現)?被\s*([^，。；]{1,80}?)\s*(?:修订|修訂|修改|补充|補充)/u],
  [
    'superseded_by',
    /(?<!\p{L})(?:wird|werden|wurden?|ist|sind)\s+(?:teilweise\s+)?durch\s+(.{1,80}?)\s+(?:ersetzt|abgelost)/u,
  ],
  [
    'amended_by',
    /(?<!\p{L})(?:wird|werden|wurden?|ist|sind)\s+(?:teilweise\s+)?durch\s+(.{1,80}?)\s+(?:geandert|erganzt)/u,
  ],
  [
    'supersedes',
    /((?:(?:\uE000\d+\uE001|adr[\s-]?\d{1,5})[\s、,と와과]*)+)(?:を\s*(?:置き換え|置換|上書き)(?!ない|ません)|(?:을|를)\s*대체(?!하지))/u,
  ],
  // `ADR 37 の色に関する判断を置き換えます`: a part of it
  [
    'amends',
    /((?:\uE000\d+\uE001|adr[\s-]?\d{1,5}))\s*の[^。、]{1,40}?を\s*(?:置き換え|置換|上書き)(?!ない|ません|られ)/u,
  ],
]

/** Tells quickly that a text has no such verb. */
export const mayEnclose = /被|を\s*(?:置|上書)|[을를]\s*대체|durch/iu

/** `folded`: the sentence in lower case and without accents, each letter at its offset. */
export function enclosedIn(sentence: string, folded: string): Enclosed | undefined {
  for (const [kind, verb] of verbs) {
    const match = verb.exec(folded)
    const at = match ? match.index + match[0].indexOf(match[1] ?? '') : 0
    if (match)
      return { kind, before: folded.slice(0, match.index), between: sentence.slice(at, at + (match[1] ?? '').length) }
  }
  return undefined
}

/** Whether the record itself, or a part of it, is the subject. */
export function isSubject(before: string): boolean {
  const start = before.trim()
  return start === '' || ownSubject.test(start) || partialWords.test(start) || namesPart(start)
}
