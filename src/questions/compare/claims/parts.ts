/** Finds the words that limit what a sentence says, and its incidental words. */
import { genericWords, stemOf } from './synonyms.ts'
import type { Value } from './values.ts'
import { stemsOf, type Word, wordPattern, wordsOf } from './words.ts'

const scopes: ReadonlySet<string> = new Set(
  `before after during while until till except half most some many few several outside inside beyond weekday weekdays weekend
  weekends night holidays vor nach während solo después hors seulement front behind when whenever where`.split(/\s+/),
)
/** Before a date, these words only say whether it is a start or an end. */
const timely: ReadonlySet<string> = new Set(['before', 'after', 'until', 'till', 'vor', 'nach'])

/** Words that limit when a claim holds: before, during. */
export function scopeOf(words: readonly Word[], values: readonly Value[]): string {
  const isDated = values.some(({ type }) => type === 'date')
  const found = words.filter(({ lower }) => scopes.has(lower) && !(isDated && timely.has(lower)))
  return found
    .map(({ lower }) => lower)
    .sort()
    .join(' ')
}

const partial: ReadonlySet<string> = new Set(
  `staging production development test tests testing sandbox demo local preview prod dev qa new old former current additional
  extra other free premium trial guest guests child children adult adults kids students deputy vice assistant acting
  interim senior junior first second third upper lower north south east west northern southern left right target goal
  planned actual average median peak outdoor indoor internal external private personal emergency
  remote mobile online offline inbound outbound incoming outgoing single double group individual bestandskunden neukunden
  standard premium default spare temporary initial final interim without including excluding incl excl plus net gross vat sans ohne sin`.split(
    /\s+/,
  ),
)
const superlatives: ReadonlySet<string> = new Set(
  'largest biggest longest highest smallest shortest lowest fastest slowest oldest newest'.split(' '),
)

/** Words that limit what a claim holds for: staging, students, the largest. Items of a list do not count. */
export function partsOf(words: readonly Word[], listed: ReadonlySet<string>): Set<string> {
  // “the largest file that can be uploaded” is a limit
  const isLimit = words.some(({ lower }) => /^(?:can|may|allowed|possible|permitted|accepted)$/.test(lower))
  const found = words.filter(
    ({ lower, stems: [stem = lower] }) =>
      (partial.has(lower) && !listed.has(stem)) || (superlatives.has(lower) && !isLimit),
  )
  return new Set(found.map(({ lower }) => lower))
}

/** Subject words that are neighbours, such as “guide dogs”. */
export function neighborsIn(words: readonly Word[], subject: ReadonlySet<string>): Map<string, Set<string>> {
  const neighbors = new Map<string, Set<string>>()
  const add = (one: string, other: string) => neighbors.set(one, new Set([...(neighbors.get(one) ?? []), other]))
  for (const [at, { stems }] of words.entries()) {
    const [one, other] = [stems.at(-1), words[at + 1]?.stems[0]]
    if (one === undefined || other === undefined || !subject.has(one) || !subject.has(other)) continue
    add(one, other)
    add(other, one)
  }
  return neighbors
}

/** Words on both sides of a preposition: in “scheme of the dogs of guests”, scheme, dogs and guests. */
export function prepositionalIn(words: readonly Word[]): Set<string> {
  const found = new Set<string>()
  let isBehind = false
  for (const [at, word] of words.entries()) {
    if (prepositions.has(word.lower)) isBehind = true
    else if (word.isAction || meansOf.has(word.lower)) isBehind = false
    else if (isBehind || words[at + 1]?.lower === 'of') for (const stem of word.stems) found.add(stem)
  }
  return found
}

const prepositions: ReadonlySet<string> = new Set(
  'of to for in on at during within after before inside under de für in bei an auf von à dans pour en para with mit avec con'.split(
    ' ',
  ),
)
const meansOf: ReadonlySet<string> = new Set('by via through from using über per'.split(' '))

/** Words after “per”. */
export const perIn = (rest: string) =>
  [...rest.matchAll(/(?<=\b(?:per|each|pro|par|por) )\p{L}+/giu)].map(([word]) => stemOf(word.toLowerCase()))

/** Incidental words: who says or does it, and the items of a count. */
export function incidentalIn(words: readonly Word[], rest: string, values: readonly Value[]): Set<string> {
  const users = words.filter(
    ({ lower }, at) => /^(?:customers|users)$/.test(lower) && !prepositions.has(words[at - 1]?.lower ?? ''),
  )
  const said = [...agentsIn(words), ...users].flatMap(({ stems, isAction }) => (isAction ? [] : stems))
  return new Set([...said.filter((stem) => !genericWords.has(stem)), ...itemsIn(rest, values)])
}

/** “Finance approved a budget of …”, “the contract says that …”, “… is deleted by the lifecycle rule”. */
function agentsIn(words: readonly Word[]): Word[] {
  const verb = words.findIndex(({ lower }) => framing.test(lower))
  const before = verb > 0 && verb <= 6 ? words.slice(0, verb + 1) : []
  const by = words.findIndex(({ lower }) => lower === 'by' || lower === 'via')
  const to = words.findIndex(({ lower }, at) => by >= 0 && at > by && prepositions.has(lower))
  return [...before, ...(by < 0 ? [] : words.slice(by + 1, to < 0 ? words.length : to))]
}
const framing = /^(?:says?|states?|promises?|promised|guarantees?|guaranteed|approved|granted|schulden)$/

/** “Three environments: dev, staging, production”: the words after the colon, if the sentence has a count. */
function itemsIn(text: string, values: readonly Value[]): string[] {
  const [, items] = text.split(/:\s/)
  const isCounted = values.some((value) => value.type === 'amount' && value.dimension === 'count')
  return items !== undefined && isCounted ? [...wordsOf(items)] : []
}

/** Up to two words on each side of every comma, colon, “and” and “or”. */
export function listedIn(text: string): Set<string> {
  const found = new Set<string>()
  const parts = text.split(/[,:]|\b(?:and|or|und|et|y)\b/i)
  for (const [at, part] of parts.entries()) {
    const words = (part.match(wordPattern) ?? []).flatMap((word) => stemsOf(word.toLowerCase()))
    const near = [...(at > 0 ? words.slice(0, 2) : []), ...(at < parts.length - 1 ? words.slice(-2) : [])]
    for (const word of near) found.add(word)
  }
  return found
}
