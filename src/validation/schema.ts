/** Zod schemas that several inputs share (specification 2). */
import { z } from 'zod'
import { uuidPattern } from '../ids.ts'

/** Default bounds (SEMANTICS 1), used unless the specification says otherwise. */
export const mostItems = 50
export const mostNameCharacters = 300
export const mostTextCharacters = 20_000

/**
 * A text of `min` to `max` Unicode code points. Refuses lone surrogates: no store returns them unchanged. Refuses a text
 * without a visible character, unless it may be empty. Responses have the same schema, and older records may be blank, so
 * JSON Schema gets no pattern for it.
 */
export function text(min: number, max: number) {
  return textThat(min, max, (value) => textProblem(value, min, max) ?? (min > 0 ? blankProblem(value) : undefined))
}

/** Like text(), but may be blank: a query, an id to look up, a key of the caller, or a text that a program reports. */
export function characters(min: number, max: number) {
  return textThat(min, max, (value) => textProblem(value, min, max))
}

function textThat(min: number, max: number, problemOf: (value: string) => string | undefined) {
  return z
    .string()
    .check((context) => refuseIf(context, problemOf(context.value)))
    .meta({ minLength: min, maxLength: max })
}

/** A name of a person, an option or an entity. */
export const name = () => text(1, mostNameCharacters)

/** A list of at most `max` items; empty if it is absent. */
export function listOf<T extends z.ZodType>(item: T, max: number = mostItems) {
  return atMost(max, z.array(item)).default(() => [])
}

/**
 * Refuses a list of more than `max` items before validating the items, so that it reports one issue and not thousands.
 */
export function atMost<T extends z.ZodType>(max: number, list: z.ZodArray<T>) {
  const message = `must have at most ${max} items`
  return z.preprocess(
    (value, context) => {
      if (Array.isArray(value) && value.length > max) {
        context.issues.push({ code: 'custom', message, input: value, continue: false })
      }
      return value
    },
    // not max(): zod compares the length of a string with it, too
    list.meta({ maxItems: max }),
  )
}

/** UTF-16 units of a date-time; enough for any fraction of a second in use. */
const longestInstant = 50

/** A date-time of the calendar that ends in Z; stored as ISO 8601 with milliseconds. */
export const instant = z
  .string()
  .check((context) => {
    if (isoInstant(context.value) !== undefined) return
    refuseIf(context, 'must be a UTC date-time of the calendar that ends in Z, such as 2026-01-31T09:30:00Z')
  })
  .overwrite((value) => isoInstant(value) ?? value)
  .meta({ format: 'date-time' })

/** A UUID of version 1 to 8, nil or max; stored in lower case. */
export const uuid = z
  .string()
  .regex(uuidPattern, { error: 'must be a UUID', abort: true })
  .overwrite((value) => value.toLowerCase())
  .meta({ format: 'uuid' })

/** The field of an input that holds the revision in the header If-Match. Other callers than HTTP send the field itself. */
export const revisionField = 'if_revision'
/** Of a write that changes something with revisions. */
export const ifRevision = z
  .int()
  .min(1)
  .exactOptional()
  .describe(
    'The revision that you have read: if it is not the newest any more, the write fails with revision_conflict.',
  )

/** Characters of an idempotency key. */
export const idempotencyKeyBounds = { least: 8, most: 200 } as const
export const idempotencyKey = characters(idempotencyKeyBounds.least, idempotencyKeyBounds.most).describe(
  'The same as the header Idempotency-Key, for callers that cannot set headers.',
)

const longestUri = 2000

/** An absolute URI of at most 2,000 characters, both as sent and as stored. Stored in ASCII (RFC 3986). */
export const uri = z
  .string()
  .check((context) => refuseIf(context, textProblem(context.value, 1, longestUri) ?? hostProblem(context.value)))
  .overwrite(asciiUri)
  .check((context) => refuseIf(context, uriProblem(context.value)))
  .meta({ format: 'uri', maxLength: longestUri })

export const provenance = z.discriminatedUnion('class', [
  z.strictObject({
    class: z.literal('repo').describe('A file in a repository.'),
    path: text(1, 1000).describe('The path of the file in its repository.'),
  }),
  z.strictObject({ class: z.literal('conversation').describe('A conversation, such as a chat.') }),
  z.strictObject({ class: z.literal('meeting').describe('A meeting.') }),
  z.strictObject({ class: z.literal('decision').describe('A recorded decision.') }),
  z.strictObject({ class: z.literal('external').describe('Anything else.') }),
])

/** A source reference in requests: only the type is required, and the default provenance is external. */
export const sourceReference = z.strictObject({
  type: text(1, 100).describe('The kind of source, such as document, ticket, slack or decision.'),
  id: text(1, 300).exactOptional().describe('The id of the source in its own system. A search by reference finds it.'),
  title: text(1, 500).exactOptional().describe('The title of the source, for people.'),
  url: uri.exactOptional().describe('Where the source can be read: an absolute URI.'),
  occurred_at: instant.exactOptional().describe('When the source was written or took place.'),
  provenance: provenance
    .default(() => ({ class: 'external' as const }))
    .describe('What kind of place the source comes from.'),
})

export const visibility = z.discriminatedUnion('scope', [
  z.strictObject({ scope: z.literal('workspace').describe('Everyone in the workspace.') }),
  z.strictObject({ scope: z.literal('private').describe('The user of the key alone.') }),
  z.strictObject({
    scope: z.literal('team').describe('One team.'),
    team_id: uuid.describe('The id of a team that the key is a member of.'),
  }),
])

/** A date-time in UTC in the form `2026-01-31T09:30:00.000Z`; undefined if it is not one. */
export function isoInstant(value: string): string | undefined {
  if (value.length > longestInstant || !instantPattern.test(value)) return undefined
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return undefined
  const iso = date.toISOString()
  // February 30 becomes March 2
  return iso.slice(0, 16) === value.slice(0, 16) ? iso : undefined
}

/** The same for an instant with an offset, such as `2026-01-31T10:30:00+01:00`. A day that does not exist is none. */
export function instantWithOffset(value: string): string | undefined {
  const [, local = ''] = /^(.{16,40})[+-]\d{2}:\d{2}$/.exec(value) ?? []
  const date = new Date(value)
  return isoInstant(`${local}Z`) === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

/** Later checks and transformations of the same schema don't run on a refused text. */
function refuseIf({ value, issues }: z.core.ParsePayload<string>, message: string | undefined): void {
  if (message) issues.push({ code: 'custom', message, input: value, continue: false })
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z$/

/** Counts Unicode code points. */
export function codePoints(value: string): number {
  let pairs = 0
  for (let at = 0; at < value.length - 1; at++) {
    if (isHigh(value.charCodeAt(at)) && isLow(value.charCodeAt(at + 1))) {
      pairs++
      at++
    }
  }
  return value.length - pairs
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** Whether a text has more than `max` code points. Counts only if needed: a code point is at most two UTF-16 units. */
export function isLonger(value: string, max: number): boolean {
  return value.length > max && (value.length > max * 2 || codePoints(value) > max)
}

function textProblem(value: string, min: number, max: number): string | undefined {
  // compare UTF-16 units first: most texts need no counting
  if (value.length < min || (value.length < min * 2 && codePoints(value) < min)) {
    return min === 1 ? 'must not be empty' : `must have at least ${min} characters`
  }
  if (isLonger(value, max)) {
    return `must have at most ${max} characters`
  }
  return /\p{Surrogate}/u.test(value) ? 'must be well-formed Unicode: it has half a surrogate pair' : undefined
}

/** Whether a text draws anything: the service refuses texts that do not. */
export const isVisible = (value: string): boolean => visible.test(value)

/** White space, control and format characters, and others that draw nothing, such as a Hangul filler and an empty Braille cell. */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

function blankProblem(value: string): string | undefined {
  return isVisible(value) ? undefined : 'must not be blank'
}

/** RFC 3986: `%` only before two hex digits, brackets only around an IPv6 address, one `#`. */
const uriPattern = (() => {
  const characters = "(?:[\\w.~!$&'()*+,;=:@-]|%[\\da-f]{2})*"
  const authority = `//${characters}(?:\\[[\\da-f:.]+\\](?::\\d*)?)?`
  const path = `(?:${characters}/)*${characters}`
  const tail = path.replaceAll('/', '[/?]')
  return new RegExp(`^[a-z][a-z\\d+.-]*:(?!$)(?:${authority}(?=[/?#]|$))?${path}(?:\\?${tail})?(?:#${tail})?$`, 'i')
})()

/** Code points of a host name, the limit of DNS. Converting one takes time that is quadratic in its length. */
const longestHost = 253
/** Follows the URL parser: backslashes count as slashes, and a web scheme has a host even without slashes. */
const authority = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[a-z][a-z\d+.-]*:\/\/)([^/\\?#]*)/i

function hostProblem(value: string): string | undefined {
  // a URL parser removes these characters first
  const read = value.replace(/[\t\n\r]+/g, '').replace(/^[\0- ]+/, '')
  const host = authority.exec(read)?.[1]?.split('@').at(-1) ?? ''
  return isLonger(host, longestHost) ? `must have a host of at most ${longestHost} characters` : undefined
}

function uriProblem(value: string): string | undefined {
  if (value.length > longestUri) return `must have at most ${longestUri} characters when written in ASCII`
  return uriPattern.test(value) && URL.canParse(value) ? undefined : 'must be an absolute URI'
}

function asciiUri(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is the range of ASCII
  const isAscii = /^[\x00-\x7f]*$/.test(value)
  if ((isAscii && !value.includes('[')) || !URL.canParse(value)) return value
  const ascii = isAscii ? value : new URL(value).href
  // brackets in a query are common, but RFC 3986 allows them only around IPv6 addresses
  const [origin = ''] = /^[^/?#]*(?:\/\/[^/?#]*)?/.exec(ascii) ?? []
  return origin + ascii.slice(origin.length).replace(/[[\]]/g, encodeURIComponent)
}
