/**
 * The only analyzer (SEMANTICS 3): both search engines index its tokens, and queries consist of them. A change of the
 * tokens needs another version (version.ts), so that all indexes are rebuilt.
 */
import { fold } from './fold.ts'
import { caseMark, changesCase, isName, markedCase, partsOf, withoutMarks } from './name-parts.ts'
import { normalForm } from './normal-form.ts'
import { stemWord } from './stem-word.ts'
import { stopWords } from './stop-words.ts'

/** How many times the tokens of a title count. Of 1 to 4 the best on cacm, cranfield and cisi (test/quality). */
export const titleWeight = 2

/** UTF-16 units of a token. Longer tokens are cut, in records and in queries. */
export const maxTokenLength = 64

/**
 * Tokens in the order of the text: runs of letters and digits, folded, without stop words, stemmed. Digits joined by a
 * dot stay together (`v1.2`, `10.0.0.1`), `c++` and `c#` are words, other punctuation separates (`HTTP/2`). Names from
 * code are followed by their parts (`getUserById`, `OAuth2`; name-parts.ts). Hangul becomes overlapping pairs.
 * A text of only stop words has no tokens; as a query it finds nothing.
 */
export function analyze(text: string): string[] {
  const tokens: string[] = []
  // decomposed, so that all forms of a text have the same names
  const given = plain.test(text) ? text : normalForm(text, 'NFKD')
  const cased = changesCase.test(given) ? markedCase(given) : given
  const folded = plain.test(cased) ? cased.toLowerCase() : fold(cased)
  let at = 0
  while (at < folded.length) {
    // fast path for separators that are classified already
    if (classes[folded.charCodeAt(at)] === separator) {
      at++
      continue
    }
    const start = at
    const type = classAt(folded, at)
    at += width(folded, at)
    if (type === separator) continue
    if (type === unspaced) {
      while (at < folded.length && classAt(folded, at) === unspaced) at += width(folded, at)
      segment(folded.slice(start, at), tokens)
      continue
    }
    if (type === hangul) {
      while (at < folded.length && classAt(folded, at) === hangul) at++
      pairs(folded.slice(start, at), tokens)
      continue
    }
    at = endOfWord(folded, at)
    const end = at
    if (folded.charCodeAt(at) === 39 || folded.charCodeAt(at) === 0x2019) at = afterElision(folded, at)
    // don't, isn't, won't: the part before the apostrophe is a stop word too
    if (at > end && folded.charCodeAt(at - 1) === 116) continue
    add(folded, start, end, tokens)
  }
  return tokens
}

/**
 * Tokens of a record for its search document, piece by piece: the title `titleWeight` times, topics and text once. Await a
 * turn between the pieces: 400,000 Chinese characters take half a second.
 */
export function* tokensInPieces(record: {
  title: string
  topics: readonly string[]
  text: string
}): Iterable<string[]> {
  const title = analyze(record.title)
  for (let n = 0; n < titleWeight; n++) yield title
  for (const topic of record.topics) yield analyze(topic)
  for (const piece of piecesOf(record.text)) yield analyze(piece)
}

/** UTF-16 units of a text that are analysed at once. */
const pieceLength = 4_000
/** A piece that ends nowhere within this length is cut within a word. */
const longestPiece = 20_000
/** A separator before a word: cutting there changes no token. */
const pieceEnd = /[\s。、！？](?=[\p{L}\p{N}])/gu

function* piecesOf(text: string): Iterable<string> {
  let from = 0
  while (text.length - from > pieceLength) {
    pieceEnd.lastIndex = from + pieceLength
    const end = pieceEnd.exec(text)?.index
    const isNear = end !== undefined && end - from <= longestPiece
    const to = isNear ? end + 1 : withoutHalf(text, from + longestPiece)
    yield text.slice(from, to)
    from = to
  }
  yield text.slice(from)
}

// texts that need no folding except case: ASCII, typographic punctuation and the mark of names
const plain = /^[\0-\x7f\xa0\ue0fe\u2010-\u2023\u2025-\u2027\u2030-\u203a]*$/

const separator = 1
const word = 2
const unspaced = 3
const hangul = 4
/** Class of each UTF-16 unit; 0: not classified yet. */
const classes = new Uint8Array(0x10000)

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  const known = classes[unit] as number
  if (known !== 0) return known
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  const found = classOf(character)
  // don't cache the class of a surrogate: other pairs begin with the same one
  if (character.length === 1) classes[unit] = found
  return found
}

function classOf(character: string): number {
  if (character === caseMark) return word
  if (!/[\p{L}\p{N}\p{M}]/u.test(character)) return separator
  if (unspacedScripts.test(character)) return unspaced
  return /\p{Script=Hangul}/u.test(character) ? hangul : word
}
// script extensions, because the Katakana vowel sign belongs to several scripts
export const unspacedScripts =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

function width(text: string, at: number): number {
  return text.charCodeAt(at) >= 0xd800 && (text.codePointAt(at) as number) > 0xffff ? 2 : 1
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    if (classes[text.charCodeAt(at)] === word) at++
    else if (classAt(text, at) === word) at += width(text, at)
    else if (text.charCodeAt(at) === 46 && isDigit(text, at - 1) && isDigit(text, at + 1)) at += 2
    else break
  }
  // c++, c#, f#: one letter and a sign that no word follows
  if (at === from) {
    if (text.startsWith('++', at) && !wordAt(text, at + 2)) return at + 2
    if (text.charCodeAt(at) === 35 && !wordAt(text, at + 1)) return at + 1
  }
  return at
}

function wordAt(text: string, at: number): boolean {
  return at < text.length && classAt(text, at) !== separator
}

function isDigit(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 48 && unit <= 57
}

/** The position after `'s`, `'t`, `'ll` …; the given position if the apostrophe begins none of these. */
function afterElision(text: string, at: number): number {
  elision.lastIndex = at + 1
  return elision.test(text) ? elision.lastIndex : at
}
const elision = /(?:s|t|d|m|ll|re|ve)(?![\p{L}\p{N}])/uy

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** UTF-16 units of a run. Longer ones, which no real text has, are split: the segmenter takes quadratic time. */
const longestRun = 1_000

function segment(run: string, tokens: string[]): void {
  for (let from = 0; from < run.length; ) {
    const to = withoutHalf(run, from + longestRun)
    for (const part of segmenter.segment(run.slice(from, to))) if (part.isWordLike) tokens.push(cut(part.segment))
    from = to
  }
}

/** Korean joins particles to words, so that words rarely recur whole: two syllables are as much as searches can match. */
function pairs(run: string, tokens: string[]): void {
  if (run.length === 1) tokens.push(run)
  for (let at = 0; at + 2 <= run.length; at++) tokens.push(run.slice(at, at + 2))
}

/** A position that splits no surrogate pair. */
function withoutHalf(run: string, at: number): number {
  const code = run.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : Math.min(at, run.length)
}

/**
 * Hash table of words and their tokens ('' for a stop word, a list for a name with parts); a new word overwrites another
 * one with the same hash. It finds a word without slicing it out of the text, which would be the most expensive step.
 */
const places = 1 << 16
const seen = new Array<string>(places).fill('')
const tokenOfSeen = new Array<string | readonly string[]>(places).fill('')
/** Longer words are rarely repeated, so they are not in the table. */
const longestSeen = 24

function add(text: string, start: number, end: number, tokens: string[]): void {
  const found = end - start > longestSeen ? tokensOfWord(text.slice(start, end)) : tokenAt(text, start, end)
  if (typeof found !== 'string') for (const token of found) tokens.push(token)
  else if (found !== '') tokens.push(found)
}

function tokenAt(text: string, start: number, end: number): string | readonly string[] {
  let hash = end - start
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  const place = (hash ^ (hash >>> 16)) & (places - 1)
  if (isAt(text, start, end, seen[place] as string)) return tokenOfSeen[place] as string | readonly string[]
  const found = ownString(text.slice(start, end))
  const tokens = tokensOfWord(found)
  seen[place] = found
  tokenOfSeen[place] = tokens === found ? found : typeof tokens === 'string' ? ownString(tokens) : tokens.map(ownString)
  return tokenOfSeen[place] as string | readonly string[]
}

function isAt(text: string, start: number, end: number, known: string): boolean {
  if (known.length !== end - start) return false
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== known.charCodeAt(at - start)) return false
  return true
}

function tokensOfWord(found: string): string | readonly string[] {
  if (!isName(found)) return tokenOf(found)
  const tokens = [tokenOf(withoutMarks(found)), ...partsOf(found).map(tokenOf)]
  return tokens.filter((token) => token !== '')
}

function tokenOf(found: string): string {
  return stopWords.has(found) ? '' : stemWord(cut(found))
}

/** Copies a slice of 13 or more characters, because V8 would keep the whole text in memory for it. */
function ownString(slice: string): string {
  return slice.length < 13 ? slice : Buffer.from(slice).toString()
}

function cut(token: string): string {
  if (token.length <= maxTokenLength) return token
  const splitsPair = (token.codePointAt(maxTokenLength - 1) as number) > 0xffff
  return token.slice(0, splitsPair ? maxTokenLength - 1 : maxTokenLength)
}
