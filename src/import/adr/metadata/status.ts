/** Reads the status of a record. */

import {
  byWord,
  fieldWords,
  partialWords,
  type StatusWord,
  statusEmoji,
  statusWords,
  supersededFor,
  wordKey,
} from '../document/dictionary.ts'
import { plainText } from '../document/markdown.ts'
import { isPlaceholder, markedChoice } from '../document/placeholder.ts'
import { findDate } from './dates.ts'
import { isAboutOther, saysStillInForce } from './status-meaning.ts'

/** The part of a field that is read here (fields.ts). */
interface Stated {
  kind: string
  source: string
  line: number
  continues?: boolean
}

export interface Status {
  /** unknown: the record states a status that is not in the dictionary. */
  word: StatusWord | 'unknown'
  /** As written, on one line. */
  text: string
  line: number
  /** Only a part of it is superseded, so the record stays in force. */
  partial?: true
  /** Its status says accepted. Only a sentence of the text says that it is superseded. */
  isToldInText?: true
}

const words = byWord(statusWords)
const longest = Math.max(...[...words.keys()].map((word) => word.split(' ').length))
/** Words that are a status only if no other word follows directly. */
const aloneOnly: ReadonlySet<string> = new Set(['historical', 'historic'])
/** Words that may follow a status within a sentence: they begin a person, a date, a means or a reason. */
const afterStatus =
  /^(?:by|on|in|at|since|as|and|but|with|due|because|von|am|durch|par|le \d|por|el \d|em|da|door|op|для|с|\d)/

/** A status that only says what the record amends or supersedes, or what amends it: the record is in force. */
const relation = new RegExp(
  `^(?:${[fieldWords.amends, fieldWords.amended_by, fieldWords.supersedes].join('|').split('|').map(wordKey).join('|')})(?!\\p{L})`,
  'u',
)

/**
 * The current status. Teams often add a line and keep the older ones, so rejected, deprecated and superseded win over
 * accepted and proposed. undefined: no status is stated.
 */
export function readStatus(fields: readonly Stated[]): Status | undefined {
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
  // `Proposed` above `Accepted`: the lower line was added later
  const settled = known.find((one) => one.word === 'accepted' && words.get(wordKey(one.text)) === 'accepted')
  const [first] = statements
  const isInForce = (text: string) => relation.test(wordKey(text)) || isAboutOther(text) || saysStillInForce(text)
  return settled ?? known[0] ?? (first && isInForce(first.text) ? { ...first, word: 'accepted' } : first)
}

/** Whether a text is the word of a status, or one with its day: `Agreed at the spring meeting, 2024-03-04.` */
export function isStatus(text: string): boolean {
  if (words.has(wordKey(text))) return true
  const start = statusAtStart(text)
  return start !== undefined && afterStatus.test(start.rest) && text.length < 100 && findDate(text) !== undefined
}

/** The status at the beginning of a text. */
export function statusAtStart(text: string): { word: StatusWord; rest: string } | undefined {
  // a sign directly behind a word belongs to what follows: `Accepted（…）`, `Accepted,2024-01-02`
  const key = wordKey(text.replace(/(?<=\p{L})(?=[(（,，:：;；。])/gu, ' '))
  const tokens = key.split(' ').slice(0, longest + 1)
  for (let length = Math.min(longest, tokens.length); length > 0; length--) {
    const phrase = tokens
      .slice(0, length)
      .join(' ')
      .replace(/[^\p{L}\p{N}]+$/u, '')
    const word = words.get(phrase)
    // `Historical part superseded by …` tells of a part
    const goesOn = aloneOnly.has(phrase) && tokens.length > length && /\p{L}$/u.test(tokens[length - 1] ?? '')
    if (word && !goesOn) return { word, rest: wordKey(key.slice(phrase.length)) }
  }
  return undefined
}

function statementsOf(field: Stated): Status[] {
  const source = withoutQuoted(withoutChoices(markedChoice(field.source) ?? field.source))
    .replace(/^\s*\[[xX]\]\s*/, '')
    .replace(/~~.*?~~/gs, '')
    .replace(/^\{(.*)\}$/s, '$1')
  const text = plainText(source)
  const base = { text: text.slice(0, 500), line: field.line }
  if (text === '') return []
  const undated = lastTurn(text).replace(leadingDate, '')
  const partial = partialWords.test(wordKey(text).slice(0, 60)) || supersededFor.test(wordKey(text))
  const start = isAboutOther(undated)
    ? undefined
    : (statusAtStart(undated) ??
      cjkStatus(undated) ??
      lastOfClause(undated) ??
      statusAtStart(wordKey(undated).replace(partialWords, '')))
  const found: Status[] = []
  if (start && !isMidSentence(field, text, start)) {
    const whole = partial && start.word === 'superseded'
    // `| Approved | 🚧 |`: a stage that is not reached
    if (start.word === 'accepted' && isOpenStage.test(text)) found.push({ ...base, word: 'proposed' })
    else found.push(whole ? { ...base, word: 'accepted', partial: true } : { ...base, word: start.word })
  }
  for (const piece of piecesOf(undated)) {
    const inner = statusAtStart(piece)
    if (
      inner &&
      !isAboutOther(piece) &&
      !aboutText.test(piece) &&
      (inner.rest === '' || afterStatus.test(inner.rest)) &&
      !partialWords.test(wordKey(piece)) &&
      !supersededFor.test(wordKey(piece))
    ) {
      found.push({ ...base, word: inner.word })
    }
  }
  if (found.length > 0) return found
  if (field.continues) return []
  // `🤔 Incomplete`: the word is unknown, but the emoji is not
  const emoji = emojiStatus(text)
  return [{ ...base, word: emoji ?? 'unknown' }]
}

const isOpenStage = new RegExp(
  `^[\\p{L} ]+[:：]?\\s*(?:${statusEmoji.proposed.replaceAll(' ', '|')})\\uFE0F?\\s*$`,
  'u',
)

/** From the last turn on: `Accepted` of `Proposed → Accepted`, `reverted` of `Accepted in May, and since reverted`. */
function lastTurn(text: string): string {
  const turned = [...text.matchAll(turn)].findLast((mark) => {
    const before =
      text
        .slice(0, mark.index)
        .split(/[.;]\s/)
        .at(-1) ?? ''
    const next = statusAtStart(text.slice(mark.index + mark[0].length).replace(leadingDate, ''))
    // in `Accepted. The queue is now deprecated`, another thing is the subject
    if (next === undefined || statusAtStart(before.replace(earlier, '')) === undefined) return false
    return mark[1] === undefined || next.rest === '' || afterStatus.test(next.rest)
  })
  return turned ? text.slice(turned.index + turned[0].length) : text
}

const leadingDate = /^[^\p{L}\p{N}]*\d[\d\s./:-]{5,}[^\p{L}\p{N}]*/u
const turn =
  /\s*(?:[-=]{1,2}>|[→⇒➔➜➡])\s*|(?:\s*[,;.(（]|\s+(?:and|but))\s+(?:(?:and|but)\s+)?(?:(?:is|was|has been)\s+)?(then|now|later|since|subsequently|meanwhile)\s+/giu
/** What may stand in front of the first status: `2021-04-01: proposed`, `Originally proposed`. */
const earlier = /^\P{L}*(?:(?:was|initially|originally|first|formerly|previously)\s+)?/iu

/** A line that continues a sentence may begin with the word of a status: “(a file was” / “rejected for this reason)”. */
function isMidSentence({ continues }: Stated, text: string, { word, rest }: { word: StatusWord; rest: string }) {
  const goesOn = continues === true && /^[^\p{L}]*\p{Ll}/u.test(text) && word !== 'superseded'
  return goesOn && rest !== '' && !afterStatus.test(rest)
}

/** Within a status, these tell of the text: `Draft, published on 3 March`. Alone, they are states of an RFD. */
const aboutText = /^[^\p{L}]*(?:committed|published)(?!\p{L})/iu

/** “Living: it is never "superseded"” does not say that it is superseded. */
function withoutQuoted(source: string): string {
  const first = source.search(/\s/)
  return first < 0 ? source : source.slice(0, first) + source.slice(first).replace(/["“][\p{L},. ]{3,30}["”]/gu, ' ')
}

/** `Proposed [Proposed, Accepted, Rejected]`: the list of the template was not removed. */
function withoutChoices(source: string): string {
  return source.replace(/\s[[({]([^[\](){}]{10,200})[\])}]\s*$/u, (group, list: string) => {
    const choices = list.split(/\s*[,|/]\s*/)
    const known = choices.filter((choice) => words.has(wordKey(choice)))
    return choices.length > 2 && known.length > choices.length / 2 ? '' : group
  })
}

/** The text behind each mark. In `rule 2 (of the slot) superseded by …`, the words in front of the brackets go on. */
function piecesOf(text: string): string[] {
  const parts = text.split(/([.;→,/()（）。、]|\s[-–—]\s)/u).slice(0, 24)
  return parts.filter((_, at) => {
    if (at === 0 || at % 2 === 1) return false
    const subject = /[)）]/.test(parts[at - 1] ?? '') ? (parts[at - 4] ?? '').trim() : ''
    return subject === '' || statusAtStart(subject) !== undefined
  })
}

/** For scripts without spaces, where the first words are one token, as in `廃止（…により）`. */
function cjkStatus(text: string): { word: StatusWord; rest: string } | undefined {
  const run = /^[^\p{L}]*([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+)/u.exec(text)?.[1]
  if (!run) return undefined
  for (let length = Math.min(run.length, 12); length > 1; length--) {
    const word = words.get(wordKey(run.slice(0, length)))
    if (word) return { word, rest: wordKey(run.slice(length)) }
  }
  return undefined
}

/** Japanese has the verb at the end of its clause: `フィードバック後にこの案を採用（2026-10-06）`. */
function lastOfClause(text: string): { word: StatusWord; rest: string } | undefined {
  const run = /^[^。（(]{0,80}?を(\p{Script=Han}{2,4})(?=[（(。]|$)/u.exec(text)
  const word = run && words.get(wordKey(run[1] ?? ''))
  return word ? { word, rest: '' } : undefined
}

function emojiStatus(text: string): StatusWord | undefined {
  const signs = /^[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? ''
  for (const [word, list] of Object.entries(statusEmoji) as [StatusWord, string][]) {
    if (list.split(' ').some((emoji) => signs.includes(emoji))) return word
  }
  return undefined
}
