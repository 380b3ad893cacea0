/** Cuts a text so that its end does not mislead. */
import { cut } from '../../../records/title.ts'

/** UTF-16 units. A last word of at most this length is dropped if it is not complete. A longer one, such as an address, is cut. */
const longestWord = 60

/**
 * At most `length` code points. A text that is cut ends after a whole word, not within a code span, and in one ellipsis.
 */
export function cutAtWord(text: string, length: number): string {
  const all = cut(text, length)
  if (all === text) return text
  const kept = all.slice(0, -1)
  return `${withoutEnd(withoutOpenCode(withoutPartOfWord(kept, text.slice(kept.length))))}…`
}

/** Drops the last word if the text goes on within it. `rest`: the text after `kept`. */
function withoutPartOfWord(kept: string, rest: string): string {
  if (!goesOn.test(rest) || unspaced.test(kept) || unspaced.test(rest)) return kept
  const last = kept.search(/\s\S*$/)
  return last > 0 && kept.length - last <= longestWord ? kept.slice(0, last) : kept
}

/** The cut is within a word. An apostrophe, a dot or a slash may be a part of a word. */
const goesOn = /^[^\s,;:.!?)\]}…”]|^[,.:!?)\]}]+[^\s,;:.!?)\]}]/u

/** Scripts without spaces between words: the text may be cut after any character. */
const unspaced = /^\p{scx=Han}|^[\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Khmr}\p{scx=Laoo}\p{scx=Mymr}]/u

/** Without a code span that is not closed. */
function withoutOpenCode(kept: string): string {
  const marks = kept.split('`')
  if (marks.length % 2 === 1) return kept
  const before = marks.slice(0, -1).join('`')
  return before.trim() === '' ? kept.replaceAll('`', '') : before
}

/** Without signs at the end that lead on to the text that was cut off, such as a comma. */
function withoutEnd(kept: string): string {
  // the last characters alone: a long run of such signs would take quadratic time
  const from = Math.max(0, kept.length - longestEnd)
  return kept.slice(0, from) + kept.slice(from).replace(/[\s,;:…(“‘[–—-]+$/u, '')
}

const longestEnd = 20
