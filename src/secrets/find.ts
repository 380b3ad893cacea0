/**
 * Finds credentials before anything is stored (PROTOCOL 6, rejected). Our own rules use documented prefixes and
 * structure. The library's rules run only if one of their patterns occurs. Most texts contain no start of any rule and
 * cost only a few searches.
 */

import { nextTurn } from '../ports/next-turn.ts'
import { invalid } from '../problem.ts'
import { assigned } from './assigned.ts'
import { oracle } from './connections.ts'
import { decoded, hasEscapes } from './decoded.ts'
import { findingsOfLibrary } from './library.ts'
import { logins } from './logins.ts'
import { isPlaceholder } from './placeholders.ts'
import { privateKeys } from './private-keys.ts'
import { cloudTokens } from './rules/cloud.ts'
import { codeTokens } from './rules/code.ts'
import { type Family, type Finding, tokenFamily } from './rules/rule.ts'
import { serviceTokens } from './rules/services.ts'
import { shapes } from './shapes.ts'
import type { Text } from './texts.ts'

export interface SecretFound {
  /** Such as `github` or `privatekey`: never the secret. */
  kind: string
  /** The path of the field, such as `content` or `sources[2].url`. */
  place: string
  /** The line within the field, counted from 1. */
  line: number
}

const families = [
  tokenFamily([...cloudTokens, ...codeTokens, ...serviceTokens]),
  privateKeys,
  shapes,
  logins,
  oracle,
  assigned,
].map(searchable)

interface Searchable extends Family {
  every: RegExp
}

function searchable(family: Family): Searchable {
  return { ...family, every: new RegExp(family.begins, `g${family.flags ?? ''}`) }
}

/** The start of any family of rules. Two searches cost half as much as one for each family. */
const anything = [undefined, 'i'].map((flags) => {
  const alike = families.filter((family) => family.flags === flags)
  return new RegExp(alike.map(({ begins }) => begins).join('|'), flags)
})

/** The first credential in any of the texts. */
export async function findSecret(texts: readonly Text[]): Promise<SecretFound | undefined> {
  if (!mayContainSecret(texts.length === 1 ? (texts[0] as Text).text : texts.map(({ text }) => text).join('\n')))
    return undefined
  const pause = pauses()
  for (const { place, text } of texts) {
    const found = (await inText(text, pause)) ?? (hasEscapes(text) ? await inText(decoded(text), pause) : undefined)
    if (found) return { ...found, place }
  }
  return undefined
}

function mayContainSecret(text: string): boolean {
  return hasStartOfRule(text) || (hasEscapes(text) && hasStartOfRule(decoded(text)))
}

const hasStartOfRule = (text: string): boolean => anything.some((pattern) => pattern.test(text))

type Pause = (work: number) => Promise<void> | undefined

async function inText(text: string, pause: Pause): Promise<Omit<SecretFound, 'place'> | undefined> {
  for await (const finding of findingsIn(text, pause)) return withLine(finding, text)
  return undefined
}

/** Every credential of a text as it stands, family by family. The same one may come twice. */
export async function* findingsIn(text: string, pause: Pause = pauses()): AsyncGenerator<Finding> {
  if (!hasStartOfRule(text)) return
  for (const family of families) yield* inFamily(family, text, pause)
  for await (const finding of findingsOfLibrary(text)) {
    if (finding && !isPlaceholder(finding)) yield finding
    await pause(workOfPiece)
  }
}

async function* inFamily({ every, read }: Searchable, text: string, pause: Pause): AsyncGenerator<Finding> {
  for (let from = 0; ; ) {
    // another request may have changed lastIndex during the pause
    every.lastIndex = from
    const [begin] = every.exec(text) ?? []
    if (begin === undefined) return
    from = every.lastIndex
    const at = from - begin.length
    const finding = read(text, at, begin)
    if (finding && !isPlaceholder(finding)) yield finding
    // no credential starts inside a placeholder, or inside another credential
    if (finding) from = Math.max(from, finding.at + finding.value.length)
    await pause(workOfMatch)
  }
}

/** Estimated µs of processor time: for one match, for one piece in the library, and between two pauses. */
const workOfMatch = 20
const workOfPiece = 5_000
const workBetweenPauses = 10_000

/** Lets other requests run. A text full of near-misses must not block them. */
function pauses(): Pause {
  let work = 0
  return (more) => {
    work += more
    if (work < workBetweenPauses) return undefined
    work = 0
    return nextTurn()
  }
}

function withLine({ kind, at }: Finding, text: string): { kind: string; line: number } {
  let line = 1
  for (let here = text.indexOf('\n'); here >= 0 && here < at; here = text.indexOf('\n', here + 1)) line++
  return { kind, line }
}

/** Throws invalid_request if the text holds a credential. The error never shows it. */
export async function refuseSecret(place: string, text: string): Promise<void> {
  const found = await findSecret([{ place, text }])
  if (found) {
    throw invalid(place, `holds a credential (${found.kind}), and it would be stored: send a text without one`)
  }
}
