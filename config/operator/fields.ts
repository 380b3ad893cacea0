/** Fields of the operator's file. Each message completes "<file>:<line>:<column> <field> …", and tells the remedy. */
import { z } from 'zod'

/** The error of a field that is missing or has another type. `shape`: what it must be, with an example. */
export function says(shape: string) {
  return {
    error: ({ code, input }: { code?: string; input?: unknown }) => {
      // flaws.ts names the field that was meant
      if (code === 'unrecognized_keys') return undefined
      return `${input === undefined ? 'is required:' : 'must be'} ${shape}`
    },
  }
}

/** A text of `least` to `most` characters. */
export function words(least: number, most: number, shape: string) {
  const error = `must be ${shape}, of ${least} to ${most} characters`
  return z.string(says(shape)).min(least, error).max(most, error)
}

export function matching(pattern: RegExp, shape: string) {
  return z.string(says(shape)).regex(pattern, `must be ${shape}`)
}

export function flag() {
  return z.boolean(says('true or false')).default(false)
}

/** A list without duplicates. */
export function list<T extends z.ZodType>(item: T, least: number, most: number, shape: string) {
  const error = `must be ${shape}, of ${least} to ${most} items`
  return z
    .array(item, says(shape))
    .min(least, error)
    .max(most, error)
    .refine((items) => new Set(items).size === items.length, 'must not have an item twice: leave one out')
    .meta({ uniqueItems: true })
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, says(`one of ${values.join(', ')}`))
}

/** Characters of the longest name of an executor. */
const longestName = 64
export const executorName = matching(
  new RegExp(`^[a-z0-9_-]{1,${longestName}}$`),
  `a name of 1 to ${longestName} lower-case letters, digits, - and _`,
)

/** Characters. No system needs more. */
const longestVariable = 128
/** The name of an environment variable that an executor gets. */
export const variableName = matching(
  new RegExp(`^[A-Za-z_][A-Za-z0-9_]{0,${longestVariable - 1}}$`),
  'the name of an environment variable, such as HOME',
)
  // Windows takes both cases for the same name
  .refine((name) => !/^PRECEDENT_/i.test(name), 'must not begin with PRECEDENT_: these names belong to the service')

const units = { s: 1_000, m: 60_000, h: 3_600_000 } as const
const longest = 24 * units.h

const durationShape = 'a time from 1s to 24h, such as 30s, 5m or 2h'
/** Becomes milliseconds. */
export const duration = matching(/^\d{1,5}[smh]$/, durationShape)
  .transform((text) => Number(text.slice(0, -1)) * units[text.slice(-1) as keyof typeof units])
  .refine((ms) => ms >= units.s && ms <= longest, `must be ${durationShape}`)

/** A host of `http_hosts`. IPv6 addresses are in brackets. */
export const httpHost = matching(
  /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?)(:\d{1,5})?$/,
  'a host or host:port in lower case, such as agents.internal:8080, without http://',
)

/** Whether the service may send to this URL: https, or a listed host. A host without a port stands for all its ports. */
export function isAllowedUrl(url: string, hosts: readonly string[]): boolean {
  const { protocol, hostname, port } = new URL(url)
  if (protocol === 'https:') return true
  return protocol === 'http:' && (hosts.includes(hostname) || hosts.includes(`${hostname}:${port || '80'}`))
}

/** An address without the parts that a request would not send, or would show. */
export function isPlainUrl(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false
  const { username, password, hash } = new URL(value)
  return username === '' && password === '' && hash === ''
}
