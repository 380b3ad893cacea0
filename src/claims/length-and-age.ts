/** Two signs by which it is judged how likely a newer text replaces an older one: how long a text is, and how old. */

/** Texts up to this length are short. In UTF-16 units. */
const short = 100

/** 0 if the text is short, and 1 more each time that it is 2.7 times as long. */
export function lengthOf(text: string): number {
  return Math.log(Math.max(1, text.length / short))
}

/** ms */
const year = 365 * 86_400_000

/** The time between both in years, at most 1. `older`, `newer`: ms since the epoch. */
export function yearBetween(older: number, newer: number): number {
  return Math.min(1, (newer - older) / year)
}
