/** Reads the note by which a person answers which of two claims holds. */
import { analyze } from '../text/analyzer.ts'
import { common } from './reading/common.ts'

export type Kept = 'newer' | 'older'

const thing = '(?: (?:one|claim|decision|entry|fact|limit|note|record|rule|statement|value|version))?'
const holds =
  '(?:(?: still)? (?:applies|counts|holds|stands)| is (?:still )?(?:correct|in force|right|true|valid))(?! (?:for|if|in|on|only|until|when|where|while)\\b)'
/** “Keep the older”, and what people write instead of it: “the older holds”, “The old rule still holds, Calum confirmed it.” */
const keeping = new RegExp(
  `^(?:please )?(?<keep>keep )?(?:the )?(?<which>older|old|earlier|previous|newer|new|latest)${thing}(?<holds>${holds})?(?:[.!]?$|[.,;!–—-]+ ?(?<why>.*)$)`,
  'is',
)
/** Words that limit what was said before: without them, the kept claim would say too much. */
const limits = /\d|\b(?:although|apart|but|except|however|only|though|unless|until)\b/i

/** The claim that the note keeps. undefined: it keeps none, or not the whole of it. */
export function keptIn(note: string): Kept | undefined {
  const { keep, which, holds, why = '' } = keeping.exec(note.trim())?.groups ?? {}
  if (which === undefined || limits.test(why)) return undefined
  if (why !== '' && keep === undefined && holds === undefined) return undefined
  return /^(?:new|latest)/i.test(which) ? 'newer' : 'older'
}

const unknown =
  /^(?:sorry,? )?(?:(?:i|we) (?:don['’]?t|do not) know\b[^.]{0,40}|no idea\b.*|(?:dunno|n\/?a|not sure|tbd|unknown|unsure)|\?+)[.!]?$/is

/** “I don’t know”, “no idea, ask Calum”. */
export function knowsNothing(note: string): boolean {
  return unknown.test(note.trim())
}

/** “Both hold: one is Ashford, the other is Brent.” */
const bothHold =
  /^(?:both|neither)\b[^.,;:]{0,40}?\b(?:apply|correct|hold|right|stand|true|valid|wrong)\b|\b(?:do not|don['’]t|no|not an?) contradict/i
/** Words that a note must share with one of the claims, to say what it is about. */
const leastShared = 2

/**
 * Whether it could stand for both claims: it names what one of them is about, and tells of neither of them as “the older” or
 * “both”.
 */
export function standsAlone(note: string, claims: readonly string[]): boolean {
  if (keeping.test(note.trim()) || bothHold.test(note)) return false
  const said = wordsOf(note)
  return claims.map(wordsOf).some((words) => common(words, said) >= Math.min(leastShared, words.size))
}

/** Without numbers and words such as “the”. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(analyze(text).filter((word) => !/\d/.test(word)))
