/** What tells that a newer statement changes an older one about the same subject. */
import { LRUCache } from 'lru-cache'
import { type Value, valuesApart, valuesIn } from '../../../questions/compare/claims/values.ts'
import { analyze } from '../../../text/analyzer.ts'
import type { Sentence } from './likeness.ts'

/** Both sentences state a value of one kind, and each has one that the other lacks. */
export function hasOtherValue(older: Sentence, newer: Sentence): boolean {
  const apart = valuesApart(valuesOf(older.text), valuesOf(newer.text))
  const kinds = new Set(apart.a.map(kindOf))
  return apart.b.some((value) => kinds.has(kindOf(value)))
}

const valuesOf = remembered((sentence) => valuesIn(sentence).values)

/** The same sentences are compared for many pairs and many briefs. */
function remembered<T extends object>(read: (sentence: string) => T): (sentence: string) => T {
  const known = new LRUCache<string, T>({ max: 1_000 })
  return (sentence) => {
    const found = known.get(sentence) ?? read(sentence)
    known.set(sentence, found)
    return found
  }
}

function kindOf(value: Value): string {
  return value.type === 'date' ? value.kind : value.dimension
}

/** Nearly the same sentence, of another person or thing: “Ada leads support”, “Ben leads support”. */
export function hasOtherName(older: Sentence, newer: Sentence): boolean {
  const [was, is] = [namesIn(older.text), namesIn(newer.text)]
  if (was.size === 0 || is.size === 0 || [...was].some((name) => is.has(name))) return false
  const plain = older.words.said.filter((word) => !was.has(word))
  const others = new Set(newer.words.said)
  const shared = plain.filter((word) => others.has(word)).length
  return shared >= leastPlain && shared / plain.length >= leastShare
}

/** Words without names that both must have, and their share. */
const leastPlain = 2
const leastShare = 0.75

/** Capitalised inside the sentence, or the first of two capitalised words. */
const properNames = /(?<=[\p{L}\d,)] )\p{Lu}[\p{L}\d]*|^\p{Lu}\p{Ll}+(?= \p{Lu}\p{Ll}+)/gu

const namesIn = remembered((sentence) => new Set((sentence.match(properNames) ?? []).flatMap(analyze)))

/** The text says that something changed, ended or was corrected. */
export function tellsChange(text: string): boolean {
  return change.test(text)
}

const change =
  /\b(?:no longer|any ?more|instead|rather than|replac(?:e[sd]?|ing)|superseded|(?:took|takes?|taken) over|mov(?:es?|ed)|migrat\w+|switch(?:es|ed)|handed (?:back|over)|g[ai]ven? up|clos(?:es|ed)|retired|brought forward|put off|postponed|delayed|slipped|raised|lowered|increased|reduced|cut (?:to|from)|extended|shortened|tightened|relaxed|former(?:ly)?|previous(?:ly)?|earlier|as of|as from|renewed|revised|(?:went|goes|going) live|wrong(?:ly)?|mistaken?|correct(?:ed|ion)|cancell?ed|stopped|dropped|scrapped|abandoned|lifted|ended|expired|withdrawn|revoked|restored|abolished|not .{1,40} but)\b/i
