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

const noAnswer =
  /^(?:sorry,? )?(?:(?:i|we) (?:don['’]?t|do not) know\b[^.]{0,40}|no idea\b.*|(?:dunno|n\/?a|not sure|tbd|unknown|unsure)|\?+)[.!]?$/is

/** “I don’t know”, “no idea, ask Calum”. */
export function knowsNothing(note: string): boolean {
  return noAnswer.test(note.trim())
}

/** Names a claim by its place (“the first one”), or only agrees. */
const pointing =
  /^(?:the )?(?:a|b|1|2|both|correct|false|first|former|latter|left|lower|neither|no|none|ok|right|second|true|upper|wrong|yes)(?: (?:one|claim|record|statement|version))?(?: (?:still )?(?:holds?|appl(?:y|ies)|stands?|(?:is|are) (?:right|correct|true|valid)))?[.!]?$/i
/** Says of both claims that they hold, or that neither does: “Both hold: one is Ashford, the other is Brent.” */
const bothHold =
  /^(?:both|neither)\b[^.,;:]{0,40}?\b(?:apply|correct|hold|right|stand|true|valid|wrong)\b|\b(?:do not|don['’]t|no|not an?) contradict/i
/** “The newer is not quite right”, “as the first one says”: “the newer pump is louder” names its own subject. */
const naming =
  /\b(?:the|that|this) (?:older|old|earlier|previous|newer|new|latest|latter|former|first|second|other)(?: (?:one|claim|record|statement|version)\b|(?= (?:applies|does|holds?|is|isn['’]t|says|stands|was|wasn['’]t)\b|[.,;:!]|$))/i
/** Words that a note must share with one of the claims, to say what it is about. */
const leastShared = 2

/**
 * Whether a reader who does not see the claims understands the note: it names what one of them is about, and does not point at
 * them as “the older” or “both”. If a claim has only numbers, the note needs words of its own.
 */
export function standsAlone(note: string, claims: readonly string[]): boolean {
  if (onlyPoints(note) || [keeping, naming, bothHold].some((pattern) => pattern.test(note.trim()))) return false
  const said = wordsOf(note)
  return claims.map(wordsOf).some((words) => {
    const shared = words.size === 0 ? said.size : common(words, said)
    return shared >= (words.size === 1 ? 1 : leastShared)
  })
}

/** “Yes”, “the first one”, “neither is right”. */
export function onlyPoints(note: string): boolean {
  return pointing.test(note.trim())
}

/** A note that is not understood without its question. In quotation marks, so that the question is not asked again. */
export function withQuestion(question: string, note: string): string {
  return `“${question.trim()}” ${note}`
}

/** The note alone, of a text that `withQuestion` made of this question or of a longer one around it. */
export function withoutQuestion(question: string, text: string): string {
  const end = text.indexOf('” ')
  return text.startsWith('“') && text.slice(0, end).includes(question.trim()) ? text.slice(end + 2) : text
}

/** Without numbers and words such as “the”. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(analyze(text).filter((word) => !/\d/.test(word)))
