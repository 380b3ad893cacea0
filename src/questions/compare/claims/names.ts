/** Finds the names in a sentence and their roles: who does it, where it is, what it is called. */

export interface Definite {
  /** Stems of the thing. */
  words: ReadonlySet<string>
  /** Its name, or the name of its place. */
  what: string
}

export interface Slot {
  name: string
  role: 'agent' | 'at' | 'from' | 'through' | 'to'
}

const one =
  "(?:\\p{Lu}[\\p{L}\\p{N}.'’-]*|[\\p{L}\\p{N}]+[_./][\\p{L}\\p{N}_./-]*[\\p{L}\\p{N}]|\\p{L}+-[\\p{L}-]*\\d+)"
const span = `(?:(?:Dr|Mr|Mrs|Ms|Prof|Herr|Frau)\\.? )?${one}(?: (?:(?:of|van|de|von|du|der|&|the) )?${one})*`

/** Verbs that make a name at the start of the sentence an agent. “Gift cards expire” has none of them. */
const does =
  'owns|leads|runs|heads|chairs|directs|manages|maintains|approves|signs|presents|teaches|provides|supplies|hosts|coordinates|issues|publishes|writes|does|collects|ships|handles|formats|builds|hands|organi[sz]es|represents|answers'
/**
 * One word of such a name, matched without backtracking. `ADR-1` matches two of the alternatives above, so with
 * backtracking a name of 40 such words would be tried in 2^40 ways before the match fails.
 */
const wordAsWhole = (nth: number) => `(?=(?<word${nth}>${one})(?= ))\\k<word${nth}>`
const spanBeforeBlank = `(?:(?:Dr|Mr|Mrs|Ms|Prof|Herr|Frau)\\.? )?${wordAsWhole(1)}(?: (?:(?:of|van|de|von|du|der|&|the) )?${wordAsWhole(2)})*`
const roles: readonly (readonly [Slot['role'], string])[] = [
  ['agent', `^(?<name>${spanBeforeBlank})(?= (?:${does})\\b)`],
  ['agent', `\\bby (?:the )?(?:team )?(?<name>${span})`],
  ['at', `\\b(?:in|at|on|within) (?:the )?(?:branch |bucket )?(?<name>${span})`],
  ['from', `\\b(?:from|out of) (?:the )?(?:branch )?(?<name>${span})`],
  ['through', `\\b(?:through|via|with|over|using|uses) (?:the )?(?<name>${span})`],
  ['to', `\\b(?:to|into) (?:the )?(?<name>${span})`],
]
const patterns = roles.map(([role, pattern]) => [role, new RegExp(pattern, 'gu')] as const)

export function slotsIn(text: string): Slot[] {
  const plain = text.replace(/["“”„«»`]/g, '')
  return patterns.flatMap(([role, pattern]) =>
    [...plain.matchAll(pattern)].map(({ groups }) => ({
      name: (groups as { name: string }).name.replace(/[.'’]s?$/, '').replace(/^Team /, ''),
      role,
    })),
  )
}

/** “The owner of X is Y”, “Y is the owner of X”, “the store is in Y”: a definite thing and its name. */
export function definiteOf(text: string, wordsOf: (text: string) => ReadonlySet<string>): Definite | null {
  const plain = text.replace(/[.!]+$/, '').trim()
  for (const pattern of definites) {
    const { of: thingText, what } = pattern.exec(plain)?.groups ?? {}
    if (thingText === undefined || what === undefined || /\b(?:and|or|und|et|y)\b/.test(what)) continue
    const words = wordsOf(thingText)
    // “the plan is X” does not say which plan
    if (words.size >= 2) return { words, what }
  }
  return null
}

const name =
  "(?<what>\\p{Lu}[\\p{L}\\p{N}.'’-]*(?: (?:\\p{Lu}[\\p{L}\\p{N}.'’-]*|of|van|de|von))*|[\\p{L}\\p{N}]+[_./-][\\p{L}\\p{N}_./-]*)"
const thing =
  "(?<of>(?:[Tt]he|[Oo]ur|[Dd]er|[Dd]ie|[Dd]as|[Uu]nsere?|[Ll]e|[Ll]a|[Ee]l|[Nn]otre|[Nn]uestr[oa]|\\p{Lu}[\\p{L}\\p{N}& -]{1,40}['’]s?)\\s[^,;:]{3,80}?)"
const definites = [
  `^${thing} (?:is|ist|est|es|is called|lautet) (?:now )?${name}$`,
  `^${name} (?:is|ist|est|es) ${thing}$`,
  `^${thing} (?:is|lies|sits|is located|is based|is situated|has its (?:seat|office)|ist|liegt|befindet sich|est|se trouve|est situé|está|se encuentra) (?:in|at|en|à|bei) ${name}$`,
  `^(?<of>[^,;:]{3,80} (?:is|are) (?:owned|led|managed|headed|chaired)) by (?:the )?(?:team )?${name}$`,
].map((pattern) => new RegExp(pattern, 'u'))

/** Whether two names surely differ. Names that may be short forms, initials or acronyms of each other do not. */
export function areDifferentNames(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) =>
    name.toLowerCase().replace(/^(?:the|team|dr|mr|mrs|ms|prof|herr|frau)\.? /, ''),
  ) as [string, string]
  // a city and its country, or a host and its product, can both be right
  if (isCountry(one) !== isCountry(other) || isCode(a) !== isCode(b)) return false
  const words = (name: string) => name.split(/[\s._/-]+/).filter((word) => word.length > 1)
  const initials = (name: string) =>
    words(name)
      .map((word) => word[0])
      .join('')
  if (initials(one) === other || initials(other) === one || one.slice(0, 2) === other.slice(0, 2)) return false
  return words(one).every((word) => !words(other).includes(word))
}

const isCode = (name: string) => /[\d_/]|\p{L}[.-]\p{Ll}/u.test(name)
const isCountry = (name: string) => countries.has(name)
const countries: ReadonlySet<string> = new Set(
  'europe,eu,emea,apac,dach,nordics,benelux,asia,africa,america,usa,us,united states,uk,united kingdom,england,scotland,wales,ireland,germany,deutschland,france,spain,españa,portugal,italy,austria,österreich,switzerland,schweiz,suisse,belgium,netherlands,luxembourg,denmark,sweden,norway,finland,iceland,poland,czechia,slovakia,hungary,romania,bulgaria,greece,croatia,serbia,slovenia,estonia,latvia,lithuania,ukraine,turkey,russia,israel,india,china,japan,korea,singapore,vietnam,thailand,indonesia,malaysia,philippines,australia,new zealand,canada,mexico,brazil,argentina,chile,colombia,peru,egypt,morocco,kenya,nigeria,south africa,california,texas,bavaria,bayern,catalonia,scandinavia'.split(
    ',',
  ),
)
