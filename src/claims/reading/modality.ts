/** How a sentence states something: as a fact, a change, a condition, or of a part only. */

const words = (...lines: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}_.@/-])(?:${lines.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu')

const changed = words(
  'instead|in place of|no longer|any ?(?:more|longer)|(?:was|were|been) moved|moves? from|moved (?:from|to)|since (?:(?:the|its|our) )?(?:\\p{Lu}\\p{L}+ v?\\d|\\d[\\d-]*|start|beginning|end|last|then|version|release|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday)|as of|from (?:now|that (?:date|day|time))|(?:up to|until) (?:then|that day)|took over|take[sn]? over|taken over|taken \\w+ place',
  'before that|until then|(?:was|were) added|retired?|switched (?:from|to)|used to be|formerly|previous(?:ly)?|until now|earlier|raised|we raise|cut (?:it|to|from)|extend(?:s|ed)|scaled',
  'postponed?|(?:was|were|has|have|been|we) (?:changed|updated|amended|revised|corrected)|went live|effective|onwards?|on from|now|went from|down to|up from|deprecated',
  'becomes?|became|would have|had been|in addition|new as of|second version',
  '(?:has|have) been (?:removed|dropped|ended|stopped|scrapped|switched off|turned off|shut down)',
  'since (?:the|our|its) [\\p{L} -]{3,40} (?:on \\d|in (?:\\d|\\p{Lu})|of \\d)',
  'grew|grown|increased|decreased|reduced|lowered|doubled|halved|renamed|migrated|upgraded|succeed(?:ed|s)|successor|transferred',
  'lifted|reversed|promoted|abolished|introduced|discontinued|phased out|sunset|supersed\\w+|correction|prolonged|shortened|brought forward',
  'pushed (?:back|to)|delayed|rescheduled|(?:was|were|been|got) cancell?ed|revoked|withdrawn|rolled back|finally|meanwhile|with effect|(?:valid|in force) from|starting (?:from|in|on|with)',
  '(?:was|were|had been) (?:due|planned|scheduled)|newly|up to now|to date|originally|initially|at first',
  'from (?:\\d{4}-\\d\\d-\\d\\d|\\d{1,2} \\p{Lu}\\p{L}+ \\d{4}|\\p{Lu}\\p{L}+|\\d{4}) on',
)

/** Such a sentence updates others and contradicts nothing. */
export const tellsChange = (text: string) => changed.test(text)

const qualified = words(
  '(?<!even )if|unless|whether|would|could|might|maybe|perhaps|wish|nice|propos\\w+|plan(?:s|ned)? to|(?:is|are) planned|expected?|should',
  'until (?:19|20)\\d\\d|forecast|estimated|aim|hope|considered|suggest\\w*|recommend(?:s|ed)?|pilot|try|trial period|experiment\\w*|example|e\\.g|draft',
  'still (?:open|unresolved|missing|to do)|remain(?:s|ed)?|options?|chosen|median|average|measured|reported|peak|temporar\\w+|for now|at (?:the moment|present)|until further',
  '(?:next|this) (?:week|month|sprint|morning)|last (?:week|month|quarter|sprint|year|night|\\p{Lu}\\p{L}+day)|today|yesterday|tomorrow|recent(?:ly)?|ago|soon',
  '(?:as well|too)(?=[.,;]|$)|\\d+ more|exempt|other than|rest of|remaining|otherwise|mostly|usually|often|sometimes|occasionally|typically|in general|rarely',
)

/** A condition, a wish, a plan, a question, or the usual case only. */
export const isQualified = (text: string) => text.includes('?') || qualified.test(text)

/** “Apart from incidents”: the other statement may speak of what is excepted. */
export const hasException = (text: string) =>
  /\b(?:exceptions?|except(?:ed|ing)?|apart from|aside from|unlike)\b/i.test(
    text.replace(/\b(?:without|no) exceptions?\b/gi, ' '),
  )

/** It leaves no room for another value. */
export const isUniversal = (text: string) =>
  /\b(?:all|every|each|any|only|exactly|always|never|nobody|no one|must|nothing|none|whatever|everyone|everybody|anyone|sole(?:ly)?|single|entire(?:ly)?|everything|default|exclusive(?:ly)?|alone|throughout|nowhere)\b/i.test(
    text,
  )

/** Of a denial: it names no exception. */
export const deniesAll = (text: string) =>
  /\b(?:never|nobody|no one|nothing|none|nowhere|any(?:one|body|thing|where)?|at all|whatever)\b/i.test(text)

/** Each leaves room for another value. */
export const leaveRoom = (...statements: readonly { text: string }[]) =>
  !statements.some(({ text }) => isUniversal(text))

const total = /\b(?:in total|altogether|overall|in all|total|spend|spent|spending|sum|combined|together)\b/i
const single = /\b(?:each|per|every|single|one)\b/i
/** One tells the sum, and the other what each has. */
export const isSumOfOther = (one: string, other: string, { dimension }: { dimension: string }) =>
  total.test(one) && !total.test(other) && (dimension === 'money' || single.test(other))

const measures =
  /\b(?:target|goal|net|gross|(?:before|excl\w*|net of|plus|without) (?:tax|vat)|(?:after|incl\w*|with) (?:tax|vat)|(?:tax|vat)\b[^.;,]{0,20} included|vat|actual|budget(?:ed)?|quota|forecast|planned|including|excluding|per person|average|median|peak)\b/gi
/** A goal and what was reached, or a price with and without tax, may differ. */
export const haveOtherMeasures = (one: string, other: string) => measuresIn(one) !== measuresIn(other)
const measuresIn = (text: string) =>
  [...new Set((text.match(measures) ?? []).map((word) => word.toLowerCase()))].sort().join()

const maximum =
  /\b(?:at most|up to|max(?:imum|imal)?|limit(?:ed|s)?|cap(?:ped|s)?|largest|longest|room for|may|as many as|as large as)\b/i
const minimum = /\b(?:at least|min(?:imum)?|smallest)\b/i
/** Whether the text states an upper or a lower limit. */
export const boundOf = (text: string) => (minimum.test(text) ? 'min' : maximum.test(text) ? 'max' : '')

const when =
  '(?=(?:the |end of |the end of )?(?:\\d|Q\\d|\\p{Lu}\\p{L}+day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|\\p{L}+ (?:quarter|half)|spring|summer|autumn|winter|noon|midnight))'
const ending = new RegExp(
  `(?<![\\p{L}-])(?:(?:by|until|till|before) ${when}|at the latest|latest|(?:no|not) later than|deadline|due|ends?|ended|ending|expires?|expiry|closes?|closing|terminates?|lapses?|runs? (?:out|until)|(?:is |are )valid|removed|deleted|shut down|switched off)\\b`,
  'iu',
)
const beginning = new RegExp(
  `(?<![\\p{L}-])(?:(?:from|since) ${when}|starting|starts?|started|begins?|began|beginning|opens?|opening|commences?|launch(?:es)?|first day|effective|onwards?)\\b`,
  'iu',
)
/** Whether the text states an end or a start. */
export const endOf = (text: string) => (ending.test(text) ? 'end' : beginning.test(text) ? 'begin' : '')

const foreign =
  /(?<!\p{L})(?:der|die|das|und|ist|nicht|den|im|für|le|la|les|est|et|du|des|ne|se|el|los|las|una|del|es|por|en|pour|avec|con|para|mit|von|auf)(?!\p{L})/giu
const otherScript = /[^\p{Script=Latin}\P{L}]/gu
/** The rules know English only. */
export const isForeign = (text: string) =>
  (text.match(foreign)?.length ?? 0) >= 2 || (text.match(otherScript)?.length ?? 0) > text.length / 4
