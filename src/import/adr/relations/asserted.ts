/** Tells whether a sentence states a relation. It may also deny it, only consider it, or say that it may come. */

/** The beginning of a sentence that says what may come: `If this fails, an ADR 12 supersedes this one`. */
export const conditional = /^[^\p{L}]*(?:if|should|unless|falls|wenn|sollte|si|caso)(?!\p{L})/u

/** A clause begins behind these. `, or` and `, nor` go on with the same verb. */
const marks = String.raw`,(?!\s*n?or\s)|[;:，；：。()（）]|\s[–—-]\s|—`
const clauseMark = new RegExp(marks, 'u')
const clauseStart = new RegExp(
  `${marks}|(?<!\\p{L})(?:and|but|because|since|so|und|aber|weil|et|mais|car|y|pero|e|mas|ma)\\s`,
  'u',
)

const whole = (words: string) => `(?<![\\p{L}-])(?:${words})(?![\\p{L}-])`
/** Words that say that something is not so, or is not certain: `not`, `rather than`, `probably`. */
const denial = [
  whole(
    [
      'not(?! only)|cannot|never|neither|nor|nothing|nobody|hardly|barely|almost|nearly|whether|as if|as though|in no way',
      'by no means|no (?:adr|decision|record)|rather than|instead of|probably|likely|possibly|perhaps|maybe',
      'nicht(?! nur)|nie|niemals|keine?[nrs]?|keineswegs|weder|ob|wohl|voraussichtlich|vermutlich|wahrscheinlich',
      'ne|ni|jamais|presque|probablement|peut-etre|nao|talvez|provavelmente|non|forse|probabilmente',
      'tampoco|nunca|jamas|quizas?|casi|probablemente|no(?: (?:ha|han|fue|es|esta))?(?: sido)?$|niet|не',
    ].join('|'),
  ),
  "n['’]t(?!\\p{L})",
  "(?<!\\p{L})n['’]\\p{L}*",
].join('|')
const mostBetween = 4
const denied = new RegExp(`(?:${denial})(?:\\s+\\S+){0,${mostBetween}}$|[不未非没沒]$`, 'u')
const deniedAnywhere = new RegExp(denial, 'u')

const modal = whole('may|might|could|would|will|shall|can|should|must|does|did|do|soll|sollte|doit|debe|deve')
/** The words before the verb say that it is not so yet: `may later`, `should have been`, `when`. */
const notYet = new RegExp(
  `(?:${modal}|${whole('if|when|until|no longer')})(?:\\s+(?:have|be|been|yet|later|also|soon))*$`,
  'u',
)
/** An infinitive or a future: `meant to be`, `sera`, `deve ser`. */
const toBe = new RegExp(
  `${whole('be|etre|sera|seront|serait|ser|seran|seria|serao|essere|sara|saranno')}(?:\\s+\\p{L}+){0,2}$`,
  'u',
)

/** `supersede ADR 3` behind `decided to`, but not behind `tried to` or `would`. */
const decidedTo = /(?<!\p{L})(?:decide[ds]?|agreed?|chose|chosen)\s+to\s/u
const notFinite = new RegExp(`${whole('to|why|let')}|${modal}`, 'u')
/** Before `superseding ADR 3`: `it is`, `…, thereby`, `we simplify by`. */
const participle =
  /^(?:and\s+)?(?:(?:thereby|thus|hereby|also|now|while|damit|\p{L}+ly)(?:\s+|$))*$|(?<!\p{L})(?:is|are|by|while|thereby|thus|hereby)(?:\s+\p{L}+ly)?$/u
/** `Superseding ADR 3 was discussed` is about the plan. */
const isDiscussed = /^[^,.;]*\s(?:is|are|was|were|has|had|would|will|could|can|may|might|should|seem(?:s|ed)|means)\s/u

/** Behind the verb: `ersetzt nicht`, `supersedes neither`, `ersetzt ADR 3 nicht`. */
const deniedBehind =
  /^\s*(?:(?:neither|nothing|nicht(?!\s+nur)|weder|keineswegs|keinesfalls|pas|ni|niet)(?![\p{L}-])|(?:no|none of the|keine?[nrs]?|aucune?|nenhuma?|ningun[oa]?|nessuna?)\s+(?:adrs?|decisions?|records?|other)(?!\p{L}))|^[^.,;]*(?:\d|\uE001)(?:\s*\([^()]*\))?\s+(?:(?:aber|also|damit|hier|jedoch|noch)\s+)*(?:nicht|keineswegs|keinesfalls|niet)(?!\s+(?:nur|mehr))(?!\p{L})/u

/** `before` and `after`: the sentence around the verb, in lower case and without accents. */
export function isAsserted(before: string, verb: string, after: string): boolean {
  if (deniedBehind.test(after) || /\?\s*$/.test(after)) return false
  const clause = lastOf(before, clauseStart)
  if (denied.test(clause) || notYet.test(clause) || toBe.test(clause)) return false
  const phrase = lastOf(before, clauseMark)
  if (/ing$/.test(verb)) {
    if (!participle.test(phrase) || notFinite.test(phrase) || deniedAnywhere.test(phrase)) return false
    return /\p{L}/u.test(before) || !isDiscussed.test(after)
  }
  if (verb !== 'supersede') return true
  return !deniedAnywhere.test(phrase) && (decidedTo.test(`${phrase} `) || !notFinite.test(phrase))
}

const lastOf = (text: string, mark: RegExp) => (text.split(mark).at(-1) ?? '').trim()
