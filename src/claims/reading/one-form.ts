/** Puts what can be said in several ways into one, so that only the difference is left: “is forbidden”, “is not allowed”. */

export function inOneForm(text: string): string {
  return forms.reduce((so, [pattern, form]) => so.replace(pattern, form), text.replace(labelled, '$1_$2'))
}

/** A number that is part of a name, such as “room 12”. */
const labelled =
  /\b(option|variant|phase|stage|step|part|section|chapter|page|figure|table|item|point|tier|level|group|type|class|zone|room|floor|gate|building|hall|aisle|line|lane|build|sprint|iteration|ticket|issue|bug|adr|rfc|iso|soc|number|article|clause|rule|paragraph|annex|appendix|theatre|ward|unit|grade|pump|shelf|track|dock|bay|partition|cost centre|severity|priority|year|class|cohort) #?(\d[\d.]*)(?![\p{L}%])/giu

const deleted = '(?:deleted|discarded|destroyed|erased|purged|removed|wiped)'
const span =
  '(?=(?:\\d[\\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty|ninety) (?:minute|hour|day|week|month|year)s?\\b)'

const forms: readonly (readonly [RegExp, string])[] = [
  [/['’]s?(?=\s)/g, ''],
  [/(?<=\d) ?([kmg])(?:bps|bits?\/s)\b/gi, ' $1bit per second'],
  [/\bper (\p{Ll}+) and (second|minute|hour|day|week|month|quarter|year)\b/gu, 'per $2 per $1'],
  // “25 paid days off” is an amount of days
  [
    /\b(\d+|\p{Ll}+) (paid|remote|free|full|extra|additional|training|vacation|sick|home) (days?|weeks?|hours?|months?)\b/giu,
    '$1 $3 $2',
  ],
  [/,? ?\b(?:without|no) exceptions?\b/gi, ' '],
  [/\b(?:no|not) later than\b/gi, 'by'],
  [/\bnot? (?:be )?(?:shorter|smaller|lower|younger|weaker|less|fewer) than\b/gi, 'at least'],
  [/\bnot? (?:be )?(?:longer|bigger|larger|higher|older|more|greater) than\b/gi, 'at most'],
  [/\bnot ((?:be )?\p{L}+ )more than\b/giu, '$1at most'],
  [
    /(?<![\p{L}\d.])(\d[\d.]*(?<!\.)(?: ?%| \p{L}+)?),? (?:or|and) (?:older|more|above|over|later|newer|up|upwards?|higher|better|greater)\b/giu,
    'at least $1',
  ],
  [
    /(?<![\p{L}\d.])(\d[\d.]*(?<!\.)(?: ?%| \p{L}+)?),? (?:or|and) (?:younger|less|fewer|below|under|earlier|lower)\b/giu,
    'at most $1',
  ],
  [/\b(?:nobody|no one) (?:outside(?: of)?|besides|beyond)\b/gi, 'only'],
  // a reason, not what is said: “has no access, the licence forbids it”
  [/[,;] [^,;.]{3,40} (?:forbids?|prohibits?|bans?|disallows?) (?:it|this|that|them)\b/gi, ' '],
  // only a limit of what is said, no denial
  [
    /,? ?(?:and )?(?:to |for |at |by )?(?:no other\b(?: (?!than)\p{L}+)?|(?:nobody|no one|nothing|nowhere) else|no others?)/giu,
    ' only',
  ],
  [/,? (?:with )?no \p{L}+ (?:elsewhere|in (?:any )?other \p{L}+)/giu, ' only'],
  [/\bnot (?:only|just|least|to be confused with)\b/gi, ' '],
  [/(?:,| and|,? but) (?:not|never|nor) [^,;.]*/gi, ' '],
  [/\b(?:rather than|instead of) [^,;.]*/gi, ' '],
  [/\bor not\b/gi, ' '],
  // “nothing ships until it is signed” says that it ships when it is signed
  [/\b(?:no|not|never|nothing|nobody|none|cannot|\p{L}+n['’]t)\b(?= [^,;.]*\b(?:until|unless)\b)/giu, ' '],
  [/(\b(?:until|unless)\b[^,;.]*,) (?:no one|nobody|nothing|no|never)\b/gi, '$1'],
  [/\b(?:without (?:charge|cost|a fee)|free of charge)\b/gi, 'free'],
  [/\bcosts? nothing\b/gi, 'is free'],
  [/\bfree (?:of|from)(?= )/gi, 'without'],
  [/\b(?:nothing|no rule)(?: that)? (?:bans|forbids|prevents|prohibits|stops)\b/gi, 'allows'],
  // denials by a word: the mark keeps them apart from “not”
  [/\b(is|are|stays?|remains?|switched|turned|defaults?|default to|defaults to) off\b/gi, '$1 not_enabled'],
  [
    /\b(is|are|stays?|remains?|switched|turned|defaults?|default to|defaults to) on(?= by default|[.,;]|$)/gi,
    '$1 enabled',
  ],
  [/\b(?:forbidden|prohibited|banned|disallowed|ruled out)\b/gi, 'not_allowed'],
  [/\b(?:forbids?|prohibits?|bans?|disallows?)\b/gi, 'not_allow'],
  [/\b(?:excludes?|excluding|omits?|leaves? out|lacks?)\b/gi, 'not_include'],
  [/\bleaves? ([\p{L} -]{3,40}?) out\b/giu, 'not_include $1'],
  [/\bexcluded\b/gi, 'not_included'],
  [
    /\b(?:disabled(?! (?:adult|child|driver|passenger|people|person|student|user|visitor))|deactivated)\b/gi,
    'not_enabled',
  ],
  [/\b(?:unencrypted|in plain text|in the clear|without encryption)\b/gi, 'not_encrypted'],
  [/\b(?:optional|voluntary)\b|\b(?:left|leave|stay) (?:blank|empty)\b/gi, 'not_required'],
  [/\b(?:mandatory|compulsory|obligatory)\b/gi, 'required'],
  [/\b(?:manual(?:ly)?|by hand)\b/gi, 'not_automatic'],
  [/\bby (?:itself|themselves)\b|\bon (?:its|their) own\b/gi, 'automatic'],
  [/\basynchronous(?:ly)?\b|\basync\b|\bin the background\b/gi, 'not_synchronous'],
  [/\bsync\b|\bsynchronously\b/gi, 'synchronous'],
  [/\bopt(?:ed|s)?[- ]out\b/gi, 'not_optin'],
  [/\bopt(?:ed|s)?[- ]in\b/gi, 'optin'],
  [/\boutdoors?\b/gi, 'not_indoors'],
  // what is deleted after a week is kept for a week
  [new RegExp(`\\b${deleted} (?:after )?${span}`, 'gi'), 'kept for '],
  [
    new RegExp(`\\b(?:delete|discard|destroy|erase|purge|remove|wipe)s? ([^.,;:]{2,40}?) after ${span}`, 'gi'),
    'keep $1 for ',
  ],
  [
    /\bim(?=possible|mutable)|\bun(?=available|supported|limited|signed|tested|paid|locked|insured|certified)/gi,
    'not_',
  ],
]
