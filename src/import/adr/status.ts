/** What a record says of its own standing. */
import { findDate } from './dates.ts'
import { byWord, partialWords, type StatusWord, statusEmoji, statusWords, wordKey } from './dictionary.ts'
import type { Field } from './fields.ts'
import { isPlaceholder } from './fields.ts'
import { plainText } from './markdown.ts'

export interface Status {
  /** unknown: something is stated that no dictionary has. */
  word: StatusWord | 'unknown'
  /** As written, on one line. */
  text: string
  line: number
  /** Superseded in part: it stays in force. */
  partial?: true
}

const words = byWord(statusWords)
const longest = Math.max(...[...words.keys()].map((word) => word.split(' ').length))
/** What may follow a status that is said in passing: who, when, by what, a reason. */
const afterStatus =
  /^(?:by|on|in|at|since|as|and|but|with|due|because|von|am|durch|par|le|por|el|em|da|door|op|для|с|\d)/

/**
 * The last word on it: rejected, deprecated and superseded weigh more than accepted and proposed, for records are
 * amended line by line. undefined where no status is stated.
 */
export function readStatus(fields: readonly Field[]): Status | undefined {
  const statements = fields
    .filter((field) => field.kind === 'status' && !isPlaceholder(field.source) && !/^\s*\[ \]/.test(field.source))
    .slice(0, 50)
    .flatMap(statementsOf)
  const known = statements.filter((statement) => statement.word !== 'unknown')
  const ended = (['superseded', 'deprecated', 'rejected'] as const).map((word) =>
    known.find((one) => one.word === word && !one.partial),
  )
  const last = ended.find((statement) => statement !== undefined)
  if (last) return last
  const dated = known.filter((statement) => findDate(statement.text) !== undefined)
  if (dated.length > 1) {
    const when = (statement: Status) => findDate(statement.text)?.iso ?? ''
    return dated.reduce((latest, one) => (when(one) >= when(latest) ? one : latest))
  }
  // `Proposed` above `Accepted`: lines were added as it went on
  const settled = known.find((one) => one.word === 'accepted' && words.get(wordKey(one.text)) === 'accepted')
  return settled ?? known[0] ?? statements[0]
}

/** The status that a text begins with, undefined if it begins with none. */
export function statusAtStart(text: string): { word: StatusWord; rest: string } | undefined {
  const tokens = wordKey(text)
    .split(' ')
    .slice(0, longest + 1)
  for (let length = Math.min(longest, tokens.length); length > 0; length--) {
    const phrase = tokens
      .slice(0, length)
      .join(' ')
      .replace(/[^\p{L}\p{N}]+$/u, '')
    const word = words.get(phrase)
    if (word) return { word, rest: wordKey(wordKey(text).slice(phrase.length)) }
  }
  return undefined
}

function statementsOf(field: Field): Status[] {
  const source = field.source
    .replace(/^\s*\[[xX]\]\s*/, '')
    .replace(/~~.*?~~/gs, '')
    .replace(/^\{(.*)\}$/s, '$1')
  const text = plainText(source)
  const base = { text: text.slice(0, 500), line: field.line }
  if (text === '') return []
  const undated = text.replace(/^\W*\d[\d\s./:-]{5,}\W*/u, '')
  const partial = partialWords.test(wordKey(text).slice(0, 60))
  const start =
    statusAtStart(undated) ?? cjkStatus(undated) ?? statusAtStart(wordKey(undated).replace(partialWords, ''))
  const found: Status[] = []
  if (start) {
    const whole = partial && start.word === 'superseded'
    found.push(whole ? { ...base, word: 'accepted', partial: true } : { ...base, word: start.word })
  }
  for (const piece of undated.split(/[.;→,/()（）。、]|\s[-–—]\s|\b(?:then|now)\b/u).slice(1, 12)) {
    const inner = statusAtStart(piece)
    if (inner && (inner.rest === '' || afterStatus.test(inner.rest)) && !partialWords.test(wordKey(piece))) {
      found.push({ ...base, word: inner.word })
    }
  }
  if (found.length > 0) return found
  if (field.continues) return []
  // `🤔 Incomplete`: the sign tells more than the word
  const emoji = emojiStatus(text)
  return [{ ...base, word: emoji ?? 'unknown' }]
}

/** Scripts without spaces: the first words of `廃止（…により）` are one token. */
function cjkStatus(text: string): { word: StatusWord; rest: string } | undefined {
  const run = /^[^\p{L}]*([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)/u.exec(text)?.[1]
  if (!run) return undefined
  for (let length = Math.min(run.length, 12); length > 1; length--) {
    const word = words.get(wordKey(run.slice(0, length)))
    if (word) return { word, rest: wordKey(run.slice(length)) }
  }
  return undefined
}

function emojiStatus(text: string): StatusWord | undefined {
  const signs = /^[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? ''
  for (const [word, list] of Object.entries(statusEmoji) as [StatusWord, string][]) {
    if (list.split(' ').some((emoji) => signs.includes(emoji))) return word
  }
  return undefined
}
