/**
 * Tokens recognized by their structure instead of a prefix: JSON Web Tokens, tokens of Discord bots, Mailchimp keys.
 */
import type { Family, Finding } from './rules/rule.ts'

/** The base64 of `{"`, the beginning of a JSON object. */
const jwtBegin = 'eyJ'
const discordBegin = '[MNO][A-Za-z0-9]{22,27}\\.(?=[\\w-]{6}\\.)'
const mailchimpBegin = '-us(?=\\d)'

export const shapes: Family = {
  begins: [jwtBegin, discordBegin, mailchimpBegin].join('|'),
  read(text, at, begin) {
    if (begin === '-us') return mailchimp(text, at)
    // not the beginning of a token, but the middle of a longer text
    if (/[\w-]/.test(text[at - 1] ?? ' ')) return undefined
    return begin === 'eyJ' ? jwt(text, at) : discord(text, at, begin)
  },
}

/** The digits of a key, and its data centre: `…-us12`. */
const mailchimpKey = /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/y
const mailchimpDigits = 32

function mailchimp(text: string, at: number): Finding | undefined {
  const from = Math.max(0, at - mailchimpDigits)
  mailchimpKey.lastIndex = from
  return mailchimpKey.test(text)
    ? { kind: 'mailchimp', at: from, value: text.slice(from, at), form: 'random' }
    : undefined
}

/** Header, payload and signature; an encrypted one has five parts. */
const jwtParts = /([\w-]{10,1000})\.([\w-]{0,8000})\.(?:[\w-]{8,100}\.[\w-]{0,8000}\.)?([\w-]{16,2000})/y

function jwt(text: string, at: number): Finding | undefined {
  jwtParts.lastIndex = at
  const [, header, payload = '', signature = ''] = jwtParts.exec(text) ?? []
  if (header === undefined) return undefined
  const { alg } = jsonOf(header) ?? {}
  if (typeof alg !== 'string' || alg.toLowerCase() === 'none') return undefined
  return isPublishedSample(payload) ? undefined : { kind: 'jwt', at, value: signature, form: 'random' }
}

/** The example of jwt.io, which half of all documentation uses. */
function isPublishedSample(payload: string): boolean {
  return jsonOf(payload)?.sub === '1234567890'
}

function jsonOf(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // encrypted, cut short, or no JSON at all
  }
}

const discordRest = /[\w-]{6}\.[\w-]{27,40}/y

/** The first part is the number of the bot in base64. */
function discord(text: string, at: number, begin: string): Finding | undefined {
  if (!/^\d{17,20}$/.test(Buffer.from(begin.slice(0, -1), 'base64').toString('latin1'))) return undefined
  discordRest.lastIndex = at + begin.length
  const value = discordRest.exec(text)?.[0]
  return value === undefined ? undefined : { kind: 'discord', at, value, form: 'random' }
}
