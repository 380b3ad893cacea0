/** Splits a text into clauses that state a fact. Leaves out changes, conditions, doubts, plans and wishes. */
import { sentencesOf } from '../../../text/sentences.ts'

export interface Clause {
  text: string
  /** The whole sentence, verbatim. */
  sentence: string
  /** Title and sentence, which may name the subject of the clause. */
  context: string
}

/** Clauses read of one record. */
export const mostClauses = 6
/** UTF-16 units read of one record. */
export const mostRead = 4_000

export function clausesOf(title: string, text: string): Clause[] {
  if (changed.test(title)) return []
  const sentences = sentencesOf(text.slice(0, mostRead))
  // the last sentence may be cut off
  if (text.length > mostRead) sentences.pop()
  const found: Clause[] = []
  for (const [at, { text: sentence, isHeading }] of sentences.entries()) {
    const near = sentences.slice(Math.max(0, at - 1), at + 2).map((one) => one.text)
    if (isHeading || linked.test(sentence) || qualified.test(sentence) || near.some((one) => changed.test(one)))
      continue
    const context = [title, sentence].join('\n')
    for (const clause of leading.test(sentence) ? [sentence] : sentence.split(splits)) {
      if (found.length === mostClauses) return found
      found.push({ text: clause.replace(/^(?:and|but|so|then) /i, ''), sentence, context })
    }
  }
  return found
}

/** Links, footnotes and form fields. */
const linked = /:\/\/|\]\(|^\s*\[[^\]]{1,20}\]:|^\s*\*\*[^*]{1,30}\*\*\s*:|^\s*\*\*[^*]{1,30}:\*\*/

/** A sentence that starts with one of these is not split: its start applies to the rest. */
const leading =
  /^(?:when|whenever|where|in|on|for|at|during|after|before|with|without|under|outside|while|as long|once|until|from|bei|im|am|für|pour|en|dans|con)\b/i

/** Where a sentence starts another statement. */
const splits =
  /;\s+|\s+[—–-]\s+|,\s+(?=(?:and\s+)?(?:but|so|because|since|which|who|where|while|whereas|although|hence|then|not even|even|as that|as this|plus|says|according to|they|it|we|there(?:['’]s)?|nobody|no one|all of|both of|one of|the \w+ (?:answers|enforces|checks|does|is|are)|und|aber|weil|puis|et|mais|pero|\p{Lu}\p{L}+ \p{Ll}+s)\s)|\s+(?=(?:because|so that|and then|before it|whereas)\s)/u

const words = (...lines: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_.@/-])(?:${lines.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu')

/** The sentence reports a change: such a sentence updates others and contradicts nothing. */
const changed = words(
  'replac\\w+|instead|in place of|no longer|any ?more|moved (?:from|to)|(?:was|were|been) moved|moves? from|since|as of|from now|took over|take[sn]? over|taken over|taken \\w+ place',
  'left|retired?|switched (?:from|to)|used to|formerly|previous(?:ly)?|until now|so far|earlier|raised|we raise|cut (?:the|it|to|from \\d)|extend(?:s|ed)?|scaled',
  'postponed?|(?:was|were|has|have|been|we) (?:changed|updated|amended|revised|corrected)|went live|effective|onwards?|on from|now|went from|down to|up from|go back|deprecated|received',
  'has been|have been|becomes?|became|would have|had been|as well|besides|in addition|also|new as of|second version',
  'wurde|wurden|seit|ab dem|statt|bisher|früher|künftig|neu|depuis|désormais|auparavant|avant|à partir|remplac\\w+',
  'desde|antes|ahora|a partir|ya no|cambi\\w+|reemplaz\\w+',
  'grew|grown|increased|decreased|reduced|lowered|doubled|halved|renamed|migrated|upgraded|succeed(?:ed|s)|successor|handed (?:to|over)|transferred',
  'promoted|abolished|introduced|discontinued|phased out|sunset|supersed\\w+|correction|prolonged|shortened|brought forward',
  'pushed (?:back|to)|delayed|rescheduled|cancell?ed|revoked|withdrawn|rolled back|back to|again|finally|meanwhile|with effect|(?:valid|in force) from|starting (?:from|in|on|with)',
  'rather than before|newly|new(?: \\p{L}+)? (?:is|are)|up to now|to date|originally|initially|at first|for years',
  'from (?:\\d{4}-\\d\\d-\\d\\d|\\d{1,2} \\p{Lu}\\p{L}+ \\d{4}|\\p{Lu}\\p{L}+|\\d{4}) on',
)

/** The sentence states a condition, a plan, the past or the usual case, not a plain fact. */
const qualified = new RegExp(
  `${
    words(
      'if|unless|whether|would|could|might|maybe|perhaps|wish|nice|propos\\w+|plan(?:s|ned)? to|planning|expected?|should',
      'forecast|estimated|aim|hope|considered|suggest\\w*|recommend(?:s|ed)?|want\\w*|pilot|try|trial period|experiment\\w*|example|e\\.g|draft',
      'median|average|measured|reported|peak|still|already|yet|currently|temporar\\w+|for now|at the moment|until further',
      '(?:next|this) (?:week|month|sprint|morning)|last (?:week|month|quarter|sprint|year|night|\\p{Lu}\\p{L}+day)|today|yesterday|tomorrow|recent(?:ly)?|ago|soon',
      '\\d+ more|more \\p{L}+s|further|exceptions?|except|excepted|exempt|apart from|other than|rest of|remaining|otherwise|mostly|usually|normally|often|sometimes|occasionally|typically|as a rule|in general|rarely',
      'wenn|falls|noch|schon|jetzt|si|encore|todavía',
    ).source
  }|\\?`,
  'iu',
)
