/** Reads the things that a sentence lists, and whether the list is complete (“only A and B”). */
import { isEmpty, isLight, meaningOf, stemOf } from './vocabulary.ts'

/** One thing that is listed: the meanings of its words. */
export type Item = readonly string[]

const closed =
  /(?<![\p{L}\p{N}])(?:only|exactly|precisely|solely|exclusively|nowhere else|no others?|nobody else|no one else|nothing else|any other|all others?|everything else|anything else|complete list|(?:list|set) is (?:final|complete)|ends there|just (?:one|two|three|four|five|six)|(?<!not )limited to|consists? of|compris(?:es?|ing)|(?:two|three|four|five|six|\d) [\p{L} -]{3,40}:)(?![\p{L}\p{N}])/iu
/** Whether the sentence says that a list is complete. */
export const closes = (sentence: string) => closed.test(sentence)

const mostWords = 4
const joins = /,\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+/
const isNoItem = /^(?:(?:by|to|in|at|for|all|any|every|among) )*(?:no|nowhere|nobody|nothing|others?)\b/i

/** What is listed with commas, “and” or “or”. The first and the last item have one word: the rest of it may not belong to them. */
export function listsIn(sentence: string): Item[][] {
  return sentence.split(/[:;()]|\s[–—-]\s/).flatMap((part) => {
    const parts = part.split(joins)
    if (parts.length < 2) return []
    const items = parts.map((item, at): Item => {
      const words = wordsOf(item)
      if (isNoItem.test(item.trim())) return []
      if (at === 0) return words.slice(-1)
      if (at === parts.length - 1) return words.slice(0, 1)
      return words.length <= mostWords ? words : []
    })
    const list = items.filter((item) => item.length > 0)
    return list.length >= 2 ? [list] : []
  })
}

const wordsOf = (text: string): string[] =>
  (text.match(/[\p{L}\p{N}](?:[\p{L}\p{N}_./@#+'’-]*[\p{L}\p{N}_#+])?/gu) ?? []).flatMap((word) => {
    const lower = word.toLowerCase()
    const meaning = meaningOf(stemOf(lower))
    return isEmpty(lower) || isLight(meaning) || /^[\d.]+$/.test(lower) ? [] : [meaning]
  })
