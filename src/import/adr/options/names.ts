/** Reads names of options, and compares them: two names may mean the same option. */
import { isVisible } from '../../../validation/schema.ts'
import { clean } from '../document/clean.ts'
import { optionPrefix, wordKey } from '../document/dictionary.ts'
import { selected, tick, withoutTick } from '../document/judged-options.ts'
import { joined } from '../document/markdown.ts'
import { isUnfilled } from '../document/placeholder.ts'
import { fold } from '../relations/markers.ts'

export interface Option {
  title: string
  /** From a name such as `Option 3: …`, or its place in a numbered list. */
  number: number | undefined
  /** Description, pros and cons, in Markdown. May be empty. */
  text: string
}

const mark = new RegExp(`\\s*[([](?:${selected}|accepted|adopted)[)\\]]`, 'iu')
const markOfText = new RegExp(`^${mark.source}\\s*[:–—-]?\\s*|\\s*[([]${selected}[)\\]](?=[\\s.*_]*(?:\\n|$))`, 'iu')

/** `Postgres (Selected)`, `Postgres: a server (Selected)`: the record marks the option that was chosen. */
export function isMarked({ title, text }: Option): boolean {
  return mark.test(title) || markOfText.test(text.split('\n', 1)[0] ?? '')
}

export const withoutMark = (title: string): string => withoutTick(title.replace(mark, '')).trim()

/** The name and the text of the chosen option, which say what was decided. */
export const saidOf = ({ title, text }: Option): string => joined(withoutMark(title), text.replace(markOfText, ''))

/** The name without what is around it: `A rope` for `Option 2: A rope.` */
export function nameOf(title: string): string {
  const name = withoutMark(title)
  const prefix = optionPrefix.exec(fold(name))?.[0] ?? ''
  const rest = /[.:)\]–—-]\s*$/.test(prefix) ? name.slice(prefix.length) : ''
  const bare = /[\p{L}\p{N}]/u.test(rest) ? rest : name
  const isOne = !/[.!?]\s+\p{Lu}/u.test(bare)
  return abbreviated.test(bare) || !isOne ? bare : bare.replace(/[.。]$/, '')
}

/** The full stop at the end belongs to the last word. */
const abbreviated = /(?:\.\.|\b(?:etc|inc|ltd|co|corp|vs|approx|usw|\p{L}\.\p{L}|\p{Lu}))\.$/iu

/** The option with a tick, if it is the only one. Several ticks say that options are good. */
export function tickedAmong(options: readonly Option[]): Option[] {
  const ticked = options.filter(({ title }) => tick.test(title))
  return ticked.length === 1 && options.length > 1 ? ticked : []
}

/** `Pros`, `Cons`, `Advantages`: arguments about an option, not its name. */
export function isArgument(title: string): boolean {
  return /^(?:the )?(?:pros?|cons?|contra|pros (?:and|&) cons|advantages?|disadvantages?|benefits?|drawbacks?|strengths?|weaknesses|upsides?|downsides?|trade-?offs?|vorteile?|nachteile?|avantages|inconvenients|ventajas|desventajas|vantagens|desvantagens)\s*:?$/.test(
    wordKey(title),
  )
}

/** Whether a text begins with the key of an option (optionKey). Then the text is about that option. */
export function begins(text: string, key: string): boolean {
  return key.length > 2 && (text === key || text.startsWith(`${key} `) || (key.length > 8 && text.startsWith(key)))
}

/** Share of words that two names have in common, 0 to 1. */
export function likeness(a: string, b: string): number {
  const [one, other] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}

/** The name of an option, without its number and without marks, quotes or brackets around it. */
export function titleOf(text: string): string {
  return unwrapped(
    text
      .replace(/\s+/gu, ' ')
      .replace(/^\s*\d{1,2}[.)]\s+/, '')
      .replace(/^(?:\s|✅|❌|\[[ x]?\](?!\())+/iu, ''),
  )
}

const wrappings = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['[', ']'],
] as const

/** Removes quotes and brackets around the whole name, and unpaired ones. Quotes within it stay, as in `Say "no"`. */
function unwrapped(text: string, layers = 4): string {
  const bare = text.replace(/^\s+|[\s:：]+$/gu, '')
  if (layers === 0) return bare
  for (const [open, close] of wrappings) {
    const inner = bare.slice(1, -1)
    if (bare.startsWith(open) && bare.endsWith(close) && !inner.includes(open) && !inner.includes(close)) {
      return unwrapped(inner, layers - 1)
    }
    // a single apostrophe is part of a word
    if (open === "'") continue
    const [first, last] = [bare.slice(1), bare.slice(0, -1)]
    if (bare.startsWith(open) && !first.includes(close)) return unwrapped(first, layers - 1)
    if (bare.endsWith(close) && !last.includes(open)) return unwrapped(last, layers - 1)
  }
  return bare
}

/** `[option 1]`, `...`: nobody filled in the template. */
export function isBlank({ title, text }: Option): boolean {
  const told = clean(text)
  const name = title.replace(optionPrefix, '')
  const isNamed = isVisible(name) && /[\p{L}\p{N}]/u.test(name)
  return !isNamed && (!isVisible(told) || isUnfilled(told))
}

/** The words of an option's name without `Option 1:`. Options with the same key are the same. */
export function optionKey(title: string): string {
  const key = wordKey(withoutMark(title))
  const bare = wordKey(key.replace(optionPrefix, '').replace(/^\(?\d{1,2}[.):](?!\d)\s*/, ''))
  return (bare === '' ? key : bare).replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/**
 * The one of `options` that is the same as `option`: it has the same words. With `detailed`, names may also differ: one
 * begins with the other, they share most words, or they share the number and some words.
 */
export function same(options: readonly Option[], option: Option, detailed: boolean): Option | undefined {
  const key = optionKey(option.title)
  const exact = options.find((other) => optionKey(other.title) === key)
  if (exact || !detailed || key.length < 4) return exact
  const ranked = options
    .map((other) => ({ other, like: likenessOf(other, option) }))
    .filter(({ like }) => like >= 0.7)
    .sort((a, b) => b.like - a.like)
  return ranked[0] && ranked[0].like > (ranked[1]?.like ?? 0) ? ranked[0].other : undefined
}

function likenessOf(a: Option, b: Option): number {
  if (a.number !== undefined && b.number !== undefined && a.number !== b.number) return 0
  const [one, other] = [optionKey(a.title), optionKey(b.title)]
  if (one.length >= 4 && (other.startsWith(`${one} `) || one.startsWith(`${other} `))) return 0.95
  const like = likeness(one, other)
  return a.number !== undefined && a.number === b.number && like > 0 ? Math.max(like, 0.7) : like
}

/** The number at the beginning: 3 for `Option 3: …`. */
export function numberIn(title: string): number | undefined {
  const match = /^\s*\[?(?:\p{L}+\s*)?[#№]?\s*(\d{1,2})(?!\d)/u.exec(title)
  return match ? Number(match[1]) : undefined
}
