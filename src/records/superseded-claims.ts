/** Claims of a record that were superseded while it stays in force (SEMANTICS 6). */
import type { AnyMutable, SupersededClaim } from './body.ts'

/** Claims kept of one row; the newest ones stay. */
export const mostClaims = 50

/** The mutable fields of a row with one more superseded claim. */
export function withoutClaim<Mutable extends AnyMutable>(mutable: Mutable, gone: SupersededClaim): Mutable {
  const others = claimsIn(mutable).filter(({ claim, by }) => claim !== gone.claim || by !== gone.by)
  return { ...mutable, superseded_claims: [...others, gone].slice(-mostClaims) }
}

/** The mutable fields of a revision that still makes these superseded claims of the revision before it. */
export function withClaims<Mutable extends AnyMutable>(mutable: Mutable, gone: readonly SupersededClaim[]): Mutable {
  const known = new Set(claimsIn(mutable).map(keyOf))
  const added = gone.filter((one) => !known.has(keyOf(one)))
  if (added.length === 0) return mutable
  return { ...mutable, superseded_claims: [...added, ...claimsIn(mutable)].slice(-mostClaims) }
}

function keyOf({ claim, by }: SupersededClaim): string {
  return JSON.stringify([claim, by])
}

export function claimsIn(mutable: AnyMutable): readonly SupersededClaim[] {
  return mutable.superseded_claims ?? []
}

/** A title that begins the claim tells it if it has this share of its characters. A shorter one only names the subject. */
const leastOfClaim = 0.6

/** Whether the title is the claim, begins it or holds it: a title is often the first sentence of the text. */
export function tellsClaim(title: string, claim: string): boolean {
  const [told, retracted] = [wordsOf(title), wordsOf(claim)]
  if (told === ' ' || retracted === ' ') return false
  const isBeginning = title.endsWith('…') || told.length >= leastOfClaim * retracted.length
  return (isBeginning && retracted.startsWith(told)) || told.includes(retracted) || endsIn(told, retracted, title)
}

/** A title that was cut ends with the beginning of the claim, by at least three words. */
function endsIn(told: string, retracted: string, title: string): boolean {
  const at = told.lastIndexOf(`${retracted.split(' ', 4).join(' ')} `)
  return title.endsWith('…') && at >= 0 && retracted.startsWith(told.slice(at))
}

/** Without punctuation and Markdown, between spaces. A title that was cut may end within a word, so that one is left out. */
function wordsOf(text: string): string {
  const whole = text.endsWith('…') ? text.slice(0, text.lastIndexOf(' ') + 1) : text
  return ` ${(whole.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `${word} `).join('')}`
}
