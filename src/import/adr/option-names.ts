/** What options are called, and when two names are of the same one. */
import { optionPrefix, wordKey } from './dictionary.ts'
import type { Option } from './options.ts'

/** `key`: of an option (optionKey); a text that begins with it speaks of that option. */
export function begins(text: string, key: string): boolean {
  return key.length > 2 && (text === key || text.startsWith(`${key} `) || (key.length > 8 && text.startsWith(key)))
}

/** Share of words that two names have in common, 0 to 1. */
export function likeness(a: string, b: string): number {
  const [one, other] = [new Set(a.split(' ')), new Set(b.split(' '))]
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}

/** The name alone, without its count, its marks and what stands around it. */
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

/** Without what stands around all of it, and without half of a pair: of `Say "no"` every mark is part of what it says. */
function unwrapped(text: string, layers = 4): string {
  const bare = text.replace(/^\s+|[\s:：]+$/gu, '')
  if (layers === 0) return bare
  for (const [open, close] of wrappings) {
    const inner = bare.slice(1, -1)
    if (bare.startsWith(open) && bare.endsWith(close) && !inner.includes(open) && !inner.includes(close)) {
      return unwrapped(inner, layers - 1)
    }
    // one apostrophe is a letter
    if (open === "'") continue
    const [first, last] = [bare.slice(1), bare.slice(0, -1)]
    if (bare.startsWith(open) && !first.includes(close)) return unwrapped(first, layers - 1)
    if (bare.endsWith(close) && !last.includes(open)) return unwrapped(last, layers - 1)
  }
  return bare
}

/** Options are the same when their words are, with or without `Option 1:`. */
export function optionKey(title: string): string {
  const key = wordKey(title)
  const bare = wordKey(key.replace(optionPrefix, '').replace(/^\(?\d{1,2}[.):]\s*/, ''))
  return (bare === '' ? key : bare).replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/**
 * The one among others that it names again: by its words; where it is told in detail also by the beginning of them, by
 * most of them, or by its number and some of them.
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

/** As it is counted: 3 of `Option 3: …`. */
export function numberIn(title: string): number | undefined {
  const match = /^\s*\[?(?:\p{L}+\s*)?[#№]?\s*(\d{1,2})(?!\d)/u.exec(title)
  return match ? Number(match[1]) : undefined
}
