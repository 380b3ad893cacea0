/** Normalizes phrases with the same meaning (“is forbidden”, “is not allowed”), and detects negation, bans and limits. */

export function inOneForm(text: string): string {
  return phrases.reduce(
    (so, [pattern, form]) => so.replace(pattern, form as string),
    text.replace(labelled, '$1_$2').replace(versioned, '$1_$2'),
  )
}

const figure = '(?=[$€£]?\\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|an?|[a-z]+teen|[a-z]+ty) )'

const phrases: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/["“”„«»`]/g, ' '],
  [/\b(?:FY|fiscal year |fiscal )(\d\d)\b(?!\d)/gi, 'fiscal 20$1'],
  [/\bno later than\b|\bat the latest\b|\bnot later than\b/gi, ' by '],
  [/\bno longer than\b|\bno more than\b|\bnot more than\b|\bno greater than\b|\bas many as\b/gi, ' at most '],
  [/\bno (?:less|fewer) than\b|\bnot (?:less|fewer) than\b/gi, ' at least '],
  [new RegExp(`\\b(?:after|innerhalb von|nach|tras) ${figure}`, 'gi'), ' '],
  [/\b(?:runs?|lasts?|goes|continues?) (?:until|till) /gi, 'ends by '],
  [/,? (?:and )?no other(?: \p{L}+)?\b/giu, ' only '],
  [/\b(?:and )?(?:nowhere|nobody|no one|nothing|no others?) else\b/gi, ' only '],
  [/\btimes? out\b|\btimed out\b|\btime-out\b/gi, 'timeout'],
  [/\b(?:runs?|running) out\b/gi, 'expires'],
  [/\bkick(?:s|ed)?[ -]off\b/gi, 'starts'],
  [/\b(?:switch|turn|shut)(?:s|ed)?[ -](?:off|down)\b/gi, 'end'],
  [/\b(?:is|are) over\b/gi, 'ends'],
  [/\bgo(?:es)? out\b/gi, 'is sent'],
  [/\bruns the\b/gi, 'leads the'],
  [/\b(?:is|are) run by\b/gi, 'is led by'],
  [/\bsign(?:s|ed)?[ -]off(?: on)?\b/gi, 'approve'],
  [/\bin charge of\b|\bresponsible for\b/gi, 'lead'],
  [/\bhand(?:s|ed)? over\b|\bhand-over\b/gi, 'handover'],
  [/\bhands? ([\p{L} ]{3,40}?) over\b/giu, 'handover $1'],
  [
    /\b(?:cut|roll|log|sign|back|set|top|check|start|opt)(?:s|ed)?[ -](over|out|in|up)\b/gi,
    (found) => found.replace(/[ -]/, ''),
  ],
  [/\bsingle sign-?on\b/gi, 'sso'],
  [/\bversion_?(?= ?\d)/gi, 'v'],
  [/\b(?:takes?|taking|finds?) place\b/gi, ' '],
  [/\b(?:is|are|was|were) (?:carried out|performed|conducted|handled|made) by\b/gi, 'is done by'],
  [/\b(?:is|are) taken (?=every|each|once|daily|weekly|hourly)/gi, 'is '],
  [/\b(?:are|is) part of\b/gi, 'is included in'],
  [/\bnot (?:be )?part of\b/gi, 'not included in'],
  // negation
  [/\bnot only\b|\bnot just\b|\bnot least\b/gi, ' '],
  [/\b(?:forbidden|prohibited|banned|disallowed)\b/gi, 'not allowed'],
  [/\b(?:forbids?|prohibits?|bans?|disallows?)\b/gi, 'does not allow'],
  [/\b(?:excludes?|excluding|omits?|leaves? out|lacks?)\b/gi, 'does not include'],
  [/\bleaves? ([\p{L} -]{3,40}?) out\b/giu, 'does not include $1'],
  [/\bexcluded\b/gi, 'not included'],
  [
    /\b(?:impossible|unavailable|unsupported|disabled|unencrypted|uninsured|unlimited|unsigned|untested|unpaid|unheated|unlocked)\b/gi,
    (found) => positive(found),
  ],
  [/\b(?:rejects?|refuses?|declines?)\b/gi, 'does not accept'],
  [/\b(?:manual(?:ly)?|by (?:hand|a human|humans|a person|people))\b/gi, 'not automatic'],
  [/\bimmutable\b/gi, 'not changed or deleted'],
  [/\bautomatic(?:ally)?\b|\bautomated\b/gi, 'automatic'],
  [/\b(?:optional|voluntary|facultative)\b/gi, 'not mandatory'],
  [/\b(?:compulsory|obligatory|required)\b/gi, 'mandatory'],
  [/\b(?:confidential|secret)\b/gi, 'not public'],
  [/\bhas no access\b/gi, 'not access'],
]

function positive(word: string): string {
  const lower = word.toLowerCase()
  return `not ${lower === 'disabled' ? 'enabled' : lower.replace(/^(?:un|im)/, '')}`
}

/** A number that is part of a name, such as “room 12”, not a count. */
const labelled =
  /\b(option|variant|alternative|version|release|phase|stage|step|part|section|chapter|page|figure|table|item|point|tier|level|group|type|class|zone|room|floor|gate|building|aisle|line|lane|port|build|sprint|iteration|ticket|issue|bug|adr|rfc|iso|soc|no\.?|number|nr\.?|article|clause|rule|paragraph|annex|appendix|theatre|hall|ward|unit|node|python|java|postgres|kubernetes|release) #?(\d[\d.]*)(?![\p{L}%])/giu

/** “Nobody but …”, “X, not Y”: the negation covers only a part of the sentence. */
export const isContrasted = (text: string) =>
  /\b(?:nobody|no one|none|nothing|nowhere|never|not|no)\b.*\b(?:but|except|outside|other than|besides|apart from|until|before)\b|,\s+not\b|\brather than\b|\bau(?:ß|ss)er\b|\bsauf\b|\bsalvo\b/iu.test(
    text,
  )

/** Denies by a word other than “not”, such as “prevents” or “without”. */
export const isRefused = (text: string) =>
  refused.test(text.replace(/\b(?:dis(?:cuss|tribut|patch|play)\w+|un(?:it|derst)\w+)\b/giu, ''))
const refused = new RegExp(
  `\\b(?:${[
    'avoid\\w*|prevent\\w*|block(?:s|ed)|den(?:y|ies|ied)|fail\\w*|stop(?:s|ped)|missing|off|without|free of|out of|lack\\w*|lost|gone|broken',
    'closed|empty|exempt\\w*|skip\\w*|ignor\\w+|little|few|rarely|seldom|hardly|barely|neither|(?:un|dis|non-?)\\p{L}{3,}(?:ed|able|ible)',
    'in(?:active|valid|accessible|visible|complete|eligible|compatible|sufficient)|im(?:possible|mutable)',
  ].join('|')})\\b`,
  'iu',
)

/** Words of a condition, such as “with approval”. */
export const conditionsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .match(
      /\b(?:permission|permit|approval|consent|escort\w*|agreement|signed|exception\w*|emergenc\w+|request|when|where|as long as|provided)\b/g,
    ) ?? []

/** A version in a name: “Node.js 0.12”, “for Windows 7”. Not after months, weekdays and currencies. */
const versioned =
  /(?<![\p{L}\p{N}])((?!(?:USD|EUR|GBP|CHF|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|FY|In|Of|To|By|At|From|About|Only|Max|Min|Over|Under)\p{L}*\b)(?:(?<=[\p{Ll}\d,] )\p{Lu}[\p{L}.]*(?= \d)|\p{Lu}[\p{L}.]*(?= \d+\.\d))) (\d+(?:\.\d+)*)(?![\p{L}\p{N}%€$]|[.,]\d| ?(?:%|percent|(?:ms|s|min|h|[kmgt]b|kg|km|cm|mm|ml|[kmgt])\b|\p{Ll}*(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|bytes|euros?|dollars?|times)\b)| \p{Lu}\p{Ll}{2})/gu

const negative =
  /^(?:not|no|never|none|nobody|nowhere|neither|cannot|n't|\p{L}+n['’]t|nicht|kein\p{L}*|nie|niemand|ne|pas|jamais|aucune?|nunca|ningún|ninguna|nadie)$/u
export const isNegative = (word: string) => negative.test(word)

/** Forbids something to everyone. */
export const isForbidden = (text: string) =>
  /\b(?:never|nobody|no one|none|must ?n[o'’]t|may not|can ?not|can['’]t|not allowed|not be|not changed|nie|niemand|jamais|nunca|nadie|dürfen|pueden|don['’]t|do not)\b/i.test(
    text,
  )

/** “Not all”, “not only”: denies completeness, not the thing itself. */
export const isPartly = (text: string) =>
  /\b(?:not|nicht|pas|no) (?:all|every|each|only|always|necessarily|entirely|fully|just|until|before|nur|immer|alle|alles|tous|toutes|toujours|solo|siempre|todos)\b/iu.test(
    text,
  )

export const isWaived = (text: string) =>
  /\b(?:needn't|need not|needs? no|(?:do|does)(?:n't| not) (?:need|have|require)|not (?:required|necessary|needed|mandatory|obliged)|no need|no (?:\p{L}+ ){1,3}(?:is|are) (?:needed|required|necessary|mandatory))\b/iu.test(
    text,
  )

export const isDuty = (text: string) => /\b(?:must|needs?|required?s?|mandatory|has to|have to|obliged)\b/iu.test(text)

const maximum =
  /\b(?:at most|up to|max(?:imum|imal)?|no more than|not more than|limit(?:ed|s)?|cap(?:ped|s)?|largest|longest|room for|höchstens|bis zu|maximal|au plus|jusqu'à|como máximo|hasta)\b/iu
const minimum =
  /\b(?:at least|min(?:imum)?|no less than|not less than|smallest|mindestens|au moins|al menos|como mínimo)\b/iu
/** Whether the text states an upper or a lower limit. */
export const boundOf = (text: string) => (maximum.test(text) ? 'max' : minimum.test(text) ? 'min' : '')

const when =
  '(?=(?:the |le |el |dem |end of |the end of )?(?:\\d|Q\\d|\\p{Lu}\\p{L}+day|Jan|Feb|M|Apr|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz]|\\p{L}+ (?:quarter|half)|spring|summer|autumn|winter|noon|midnight))'
const ending = new RegExp(
  `\\b(?:(?:by|until|till|before|bis|avant|jusqu'(?:au|à)|hasta|antes) ${when}|no later than|at the latest|latest|deadline|due|ends?|ending|expires?|expiry|closes?|closing|terminates?|lapses?|(?:is |are )valid|spätestens|endet|au plus tard|prend fin|ferme|a más tardar|cierra|removed|deleted)\\b`,
  'iu',
)
const beginning = new RegExp(
  `\\b(?:(?:from|since|ab|à partir du|dès|desde) ${when}|starting|starts?|begins?|beginning|opens?|opening|commences?|launch(?:es)?|first day|beginnt|ouvre|empieza|abre|effective|onwards?)\\b`,
  'iu',
)
/** Whether the text states a start or an end date. */
export const endOf = (text: string) => (ending.test(text) ? 'end' : beginning.test(text) ? 'begin' : '')

const closed =
  /(?<!-)\b(?:only|exactly|solely|exclusively|nowhere else|nobody else|no one else|nothing else|no others?|alone|reserved)\b/iu
export const isClosed = (text: string) => closed.test(text)
