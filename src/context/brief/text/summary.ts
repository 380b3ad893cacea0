/** A text shortened to its own first sentences, without Markdown. */

import { analyze } from '../../../text/analyzer.ts'
import { oncePerText } from '../../../text/once-per-text.ts'
import { type Sentence, sentencesOf } from '../../../text/sentences.ts'
import { cutAtWord } from './cut.ts'
import { oneLine } from './in-line.ts'
import { plainText } from './plain-text.ts'

/** UTF-16 units of the text that are read. */
const mostLooked = 4_000
/** Characters by which the last sentence may exceed the length before it is left out. */
const overhang = 80

/** Whole sentences of about `length` characters together. The first is cut if it alone is too long. */
export function summaryOf(text: string, length: number): string {
  const looked = text.slice(0, mostLooked)
  return shortened(fromTheChoice(tellingIn(looked)), length, looked)
}

/**
 * At most `length` characters, or the whole text if it is hardly longer and there are terms. It begins with the sentence
 * that has most of the terms, if a summary from the beginning would not reach that sentence.
 */
export function summaryAbout(terms: readonly string[], text: string, length: number): string {
  const room = terms.length > 0 && text.length <= hardlyLonger * length ? text.length : length
  const summary = cutAtWord(summaryOf(text, room), room)
  if (terms.length === 0 || text.length <= room) return summary
  const looked = text.slice(0, mostLooked)
  const sentences = tellingIn(looked)
  const counts = sentences.map((sentence) => countOf(terms, sentence))
  const most = Math.max(0, ...counts)
  const from = counts.indexOf(most)
  const best = sentences[from]
  if (most === 0 || !best || summary.includes(oneLine(best.text).slice(0, compared))) return summary
  return cutAtWord(shortened(sentences.slice(from), length, looked), length)
}

/** As a multiple of the length: the end of a text may say what counts. */
const hardlyLonger = 1.4

/** Characters that tell whether a summary has a sentence. */
const compared = 60

function countOf(terms: readonly string[], { text }: Sentence): number {
  const words = new Set(analyze(text))
  return terms.filter((term) => words.has(term)).length
}

/** A page without a query is written several times, until it is short enough. */
const tellingIn = oncePerText(500, (text): readonly Sentence[] =>
  sentencesOf(plainText(text)).map(withoutStatus).filter(isTelling),
)

function shortened(sentences: readonly Sentence[], length: number, looked: string): string {
  let summary = ''
  let used = 0
  for (; used < sentences.length && summary.length < length; used++) {
    const next = joined(summary, sentences[used] as Sentence)
    if (summary !== '' && next.length > length + overhang) break
    summary = next
  }
  const next = sentences[used]
  const isCutList = sentences[used - 1]?.isItem && next?.isItem && isOpen(summary)
  if (isCutList) return cutAtWord(`${summary.replace(/[;,]$/, '')} …`, length + overhang)
  // what it announces belongs to it, and tells more than the announcement
  if (next?.isItem && summary.endsWith(':') && length - summary.length >= leastBegun) {
    return cutAtWord(joined(summary, next), length)
  }
  return cutAtWord(announced(summary) || oneLine(looked), length + overhang)
}

/** Characters of an item that are worth telling. */
const leastBegun = 40

function isTelling({ isHeading, text }: Sentence): boolean {
  return !isHeading && !pointer.test(text) && !label.test(text)
}

/** A sentence that only refers to another place, such as “Details are described below.” */
const pointer = /\b(?:see|refer to|found|details|documented|described|read more) (?:\w+ )?(?:here|above|below)[.:]?$/i

/** A word that heads a list, such as “Pros”, or nothing. “No.” is an answer. */
const label = /^\W*[\p{L}-]*[^\p{L}\p{N}.!。！]*$/u

/** “Status: Rejected (too slow)” becomes “too slow”: a status gives no reason, and each line tells it elsewhere. */
function withoutStatus(sentence: Sentence): Sentence {
  const found = status.exec(sentence.text)
  if (found === null) return sentence
  const [all, reason] = found
  const rest = sentence.text.slice(all.length).trim()
  return { ...sentence, text: reason === undefined ? rest : `${reason}${rest === '' ? '' : `. ${rest}`}` }
}

const status =
  /^\W*status\W*:\W*(?:draft|proposed|pending|accepted|approved|implemented|rejected|declined|deprecated|superseded|obsolete)\b[^\s(]*\s*(?:\(([^()]*)\))?/i

/** Skips a discussion of options at the beginning if a later sentence states the choice. */
function fromTheChoice(sentences: readonly Sentence[]): readonly Sentence[] {
  if (!weighing.test(sentences[0]?.own ?? '') || choosing.test(sentences[0]?.own ?? '')) return sentences
  const point = sentences.findIndex(({ own }) => choosing.test(own))
  return point < 0 ? sentences : sentences.slice(point)
}

const weighing =
  /\b(?:discussed|considered|evaluated|compared|weighed|looked at|investigated)\b|\b(?:options|alternatives|approaches|possibilities)\b/i
const choosing =
  /\b(?:we(?:'ve|’ve| have)? (?:decided (?:to|on|that)|chosen?|chose|opted|agreed|settled)|(?:is|was|been|one we(?:'ve|’ve| have)) chosen|chosen option|decision (?:is|was) to)\b/i

/** Drops the last sentence if it only introduces text that was left out. If there is no other one, it ends with “…”. */
function announced(summary: string): string {
  const last = /(?<=[.!?]["'”’)]*)\s[^.!?]*:$/.exec(summary)
  return last ? summary.slice(0, last.index) : summary.replace(/\s*:$/, '…')
}

/** Separates list items with semicolons. A sentence that introduces a list runs on into its first item. */
function joined(summary: string, { text, isItem }: Sentence): string {
  const sentence = oneLine(text)
  if (summary === '') return sentence
  const goesOn = !isOpen(summary) || /[:;…]$/.test(summary) || (isItem && leading.test(summary))
  if (goesOn) return `${summary} ${sentence}`
  return `${summary}${isItem ? ';' : '.'} ${sentence}`
}

const leading = /\b(?:because|since|that|to|and|or|for)$/i

/** The last sentence has no punctuation at its end. */
function isOpen(summary: string): boolean {
  return !/[.!?。！？]["'”’»)]*$/.test(summary)
}
