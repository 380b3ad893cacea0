/** Puts what can be said in several ways into one, so that only the difference is left: “is forbidden”, “is not allowed”. */

export function inOneForm(text: string): string {
  return forms.reduce((so, [pattern, form]) => so.replace(pattern, form), text.replace(labelled, '$1_$2'))
}

/** A number that is part of a name, such as “room 12”. */
const labelled =
  /\b(option|variant|phase|stage|step|part|section|chapter|page|figure|table|item|point|tier|level|group|type|class|zone|room|floor|gate|building|hall|aisle|line|lane|build|sprint|iteration|ticket|issue|bug|adr|rfc|iso|soc|number|article|clause|rule|paragraph|annex|appendix|theatre|ward|unit|grade|pump|shelf|track|dock|bay|partition|cost centre|severity|priority|year|class|cohort) #?(\d[\d.]*)(?![\p{L}%])/giu

const forms: readonly (readonly [RegExp, string])[] = [
  [/['’]s?(?=\s)/g, ''],
  [/(?<=\d) ?([kmg])(?:bps|bits?\/s)\b/gi, ' $1bit per second'],
  [/,? ?\b(?:without|no) exceptions?\b/gi, ' '],
  [/\b(?:no|not) later than\b/gi, 'by'],
  [/\bnot? (?:be )?(?:shorter|smaller|lower|younger|weaker|less|fewer) than\b/gi, 'at least'],
  [/\bnot? (?:be )?(?:longer|bigger|larger|higher|older|more|greater) than\b/gi, 'at most'],
  [/\bnot ((?:be )?\p{L}+ )more than\b/giu, '$1at most'],
  [
    /(?<![\p{L}\d.])(\d[\d.]*(?<!\.)(?: ?%| \p{L}+)?),? (?:or|and) (?:older|more|above|over|later|newer|up|upwards?|higher)\b/giu,
    'at least $1',
  ],
  [
    /(?<![\p{L}\d.])(\d[\d.]*(?<!\.)(?: ?%| \p{L}+)?),? (?:or|and) (?:younger|less|fewer|below|under|earlier|lower)\b/giu,
    'at most $1',
  ],
  // only a limit of what is said, no denial
  [
    /,? ?(?:and )?(?:to |for |at |by )?(?:no other\b(?: (?!than)\p{L}+)?|(?:nobody|no one|nothing|nowhere) else|no others?)/giu,
    ' only',
  ],
  [/\bnot (?:only|just|least|to be confused with)\b/gi, ' '],
  [/(?:,| and) (?:not|never|nor) [^,;.]*/gi, ' '],
  [/\b(?:rather than|instead of) [^,;.]*/gi, ' '],
  [/\bor not\b/gi, ' '],
  // denials
  [/\b(is|are|stays?|remains?|switched|turned) off\b/gi, '$1 not enabled'],
  [/\b(is|are|stays?|remains?|switched|turned) on(?= by default|[.,;]|$)/gi, '$1 enabled'],
  [/\b(?:forbidden|prohibited|banned|disallowed|ruled out)\b/gi, 'not allowed'],
  [/\b(?:forbids?|prohibits?|bans?|disallows?)\b/gi, 'does not allow'],
  [/\b(?:excludes?|excluding|omits?|leaves? out|lacks?)\b/gi, 'does not include'],
  [/\bleaves? ([\p{L} -]{3,40}?) out\b/giu, 'does not include $1'],
  [/\bexcluded\b/gi, 'not included'],
  [/\b(?:disabled|deactivated)\b/gi, 'not enabled'],
  [/\b(?:unencrypted|in plain text|in the clear|without encryption)\b/gi, 'not encrypted'],
  [/\b(?:optional|voluntary)\b/gi, 'not required'],
  [/\b(?:mandatory|compulsory|obligatory)\b/gi, 'required'],
  [/\b(?:manual(?:ly)?|by hand)\b/gi, 'not automatic'],
  [/\bby (?:itself|themselves)\b|\bon (?:its|their) own\b/gi, 'automatic'],
  [/\basynchronous(?:ly)?\b|\basync\b|\bin the background\b/gi, 'not synchronous'],
  [/\bsync\b|\bsynchronously\b/gi, 'synchronous'],
  [
    /\bim(?=possible|mutable)|\bun(?=available|supported|limited|signed|tested|paid|locked|insured|certified)/gi,
    'not ',
  ],
]
