/** What happened, or was measured, contradicts neither a rule nor a promise. */
import { oncePerText } from '../text/once-per-text.ts'
import { changeIn } from './changes.ts'
import { allDatesDiffer, takeDates, type When } from './reading/dates.ts'
import { tellsChange } from './reading/modality.ts'

/**
 * One sentence reports what happened, and the other states a rule or a promise: “were paid after 19 days”, “are paid within
 * 14”.
 */
export function areReportAndRule(a: string, b: string): boolean {
  const [one, other] = [tenseOf(a), tenseOf(b)]
  return (one.report !== undefined && !other.isPast) || (other.report !== undefined && !one.isPast)
}

/** Both report what happened, but on different days. */
export function tellOtherDays(a: string, b: string): boolean {
  return allDatesDiffer(tenseOf(a).report ?? [], tenseOf(b).report ?? [])
}

interface Tense {
  isPast: boolean
  /** The days on which it happened. undefined: the text tells nothing that only happened on a day, or was measured. */
  report: readonly When[] | undefined
}

/** UTF-16 units of a sentence that are read. */
const mostRead = 1_000
const tenseRead = oncePerText(1_000, readTense)
const tenseOf = (text: string) => tenseRead(text.slice(0, mostRead))

const past =
  /(?<!\b(?:who|which|that) )\b(?:was|were|had|did|took|gave|came|ran|saw|fell|rose|broke|went(?! to))\b|(?:\b(?:we|they|he|she|it|i) |^\P{L}*(?:the )?\p{Lu}\p{L}+ )(?:\p{Ll}{2,}ed|got|paid|sent|met|sold|spent|found|made|lost)\b|^Met\b/iu
const present =
  /\b(?:is|are|has|have|am|can|may|must|will|shall|should|do|does|now|agreed|decided|promised|already)\b|['’](?:re|ll|ve) /
const measured = /\b(?:on average|averaged|median|w(?:as|ere) measured)\b/i

function readTense(text: string): Tense {
  const isMeasured = measured.test(text)
  const isPast = past.test(text) || (isMeasured && /\p{Ll}{2,}ed\b/u.test(text))
  if (!isPast || present.test(text) || tellsChange(text) || changeIn({ text, own: text }))
    return { isPast, report: undefined }
  const days: When[] = []
  takeDates(text, (when, _, at) => {
    // not an end, as in “gave us the route until 2031”
    if (when.kind === 'days' && /\b(?:in|on|of|during|for|last|the) $|^$/i.test(text.slice(0, at))) days.push(when)
    return undefined
  })
  return { isPast, report: days.length > 0 || isMeasured ? days : undefined }
}
