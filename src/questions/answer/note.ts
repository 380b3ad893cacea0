/** Tells what the note of an answer says: which of two claims holds, what holds instead, or nothing. */
import { invalid } from '../../problem.ts'
import type { QuestionBody } from '../../records/body.ts'
import { analyze } from '../../text/analyzer.ts'
import type { ResolveInput } from './input.ts'

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

/** The claim that an answer keeps. undefined: the question is no contradiction, or the answer keeps none. */
export function keptBy(
  { resolution, note = '' }: Pick<ResolveInput, 'resolution' | 'note'>,
  { reason }: Pick<QuestionBody, 'reason'>,
): Kept | undefined {
  if (reason !== 'contradiction') return undefined
  if (resolution === 'confirm') return 'newer'
  const said = resolution === 'dismiss' ? undefined : keeping.exec(note.trim())?.groups
  const { keep, which, holds, why = '' } = said ?? {}
  if (which === undefined || limits.test(why) || (why !== '' && keep === undefined && holds === undefined))
    return undefined
  return /^(?:new|latest)/i.test(which) ? 'newer' : 'older'
}

const knowsNothing =
  /^(?:sorry,? )?(?:(?:i|we) (?:don['’]?t|do not) know\b[^.]{0,40}|no idea\b.*|(?:dunno|n\/?a|not sure|tbd|unknown|unsure)|\?+)[.!]?$/is
/** “Both hold: one is Ashford, the other is Brent.” */
const bothHold =
  /^(?:both|neither)\b[^.,;:]{0,40}?\b(?:apply|correct|hold|right|stand|true|valid|wrong)\b|\b(?:do not|don['’]t|no|not an?) contradict/i
/** The words that the note must share with one of the claims, to say what it is about. */
const leastShared = 2

/**
 * Throws if the note would be recorded and says nothing. That of a contradiction replaces both claims, so it must be a
 * statement about their subject.
 */
export function checkNote({ resolution, note = '' }: ResolveInput, { reason, about }: QuestionBody): void {
  if (resolution === 'confirm' || resolution === 'dismiss') return
  if (knowsNothing.test(note.trim())) {
    throw invalid('note', 'must say what is right: leave the question open until somebody knows it, or use dismiss')
  }
  if (reason !== 'contradiction' || keptBy({ resolution, note }, { reason }) !== undefined) return
  const said = wordsOf(note)
  const isAbout = about.some(({ claim }) => {
    const words = [...wordsOf(claim)]
    return words.filter((word) => said.has(word)).length >= Math.min(leastShared, words.length)
  })
  if (isAbout && !keeping.test(note.trim()) && !bothHold.test(note)) return
  throw invalid(
    'note',
    'replaces both claims, so it must say what is right in a sentence that names what it is about, as the claims do; or write `keep the newer` or `keep the older`; if both hold, use dismiss',
  )
}

/** Without numbers and words such as “the”. */
const wordsOf = (text: string): ReadonlySet<string> => new Set(analyze(text).filter((word) => !/\d/.test(word)))
