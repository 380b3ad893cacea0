/** Users with their passwords: in urls of any scheme, in headers, and on command lines. */
import { looksRandom } from './random.ts'
import type { Family, Finding } from './rules/rule.ts'

/** The most characters of a user or a password. */
const most = 256

const urlBegin = `:\\/\\/(?=[^\\s@"'\`<>]{1,${most}}@)`
const headerBegin = '(?:[Bb]asic|[Bb]earer|BASIC|BEARER)\\s{1,3}(?=[\\w+/.=~-]{12})'
const optionBegin = '\\s-{1,2}(?:user|u|password|pass|p|a|P)(?:[ =]|(?=["\']))["\']?|\\s-p(?=\\w{8})'

export const logins: Family = {
  begins: [urlBegin, headerBegin, optionBegin].join('|'),
  read(text, at, begin) {
    const from = at + begin.length
    if (begin === '://') return inUrl(text, from)
    if (/^basic/i.test(begin)) return basic(text, from)
    if (/^bearer/i.test(begin)) return bearer(text, from)
    return inCommand(text, at, from)
  },
}

const userinfo = new RegExp(
  `([^\\s:/?#@"'\`<>]{0,${most}}):([^\\s@"'\`<>]{1,${most}})@([\\w[$%{][^\\s/?#"'\`<>]{0,${most}})`,
  'y',
)

function inUrl(text: string, at: number): Finding | undefined {
  userinfo.lastIndex = at
  const [, user, password, host] = userinfo.exec(text) ?? []
  if (user === undefined || password === undefined || host === undefined) return undefined
  // not a password but a port, if a later part of the path contains an @
  if (/^\d{1,5}(?:[/?#]|$)/.test(password)) return undefined
  // GitHub accepts a token as the user, with a fixed password
  if (password === 'x-oauth-basic') return { kind: 'basicauth', at, value: user, form: 'random' }
  return { kind: 'basicauth', at: at + user.length + 1, value: password, form: 'chosen', user, host }
}

/** The password of a url, undefined if it has none. */
export function passwordIn(url: string): Finding | undefined {
  const at = url.indexOf('://')
  return at < 0 ? undefined : inUrl(url, at + 3)
}

const base64 = /[A-Za-z0-9+/]{8,800}={0,2}/y

function basic(text: string, at: number): Finding | undefined {
  base64.lastIndex = at
  const login = Buffer.from(base64.exec(text)?.[0] ?? '', 'base64').toString('latin1')
  const [, user, password] = /^([\x20-\x7e]{0,256}?):([\x20-\x7e]{3,256})$/.exec(login) ?? []
  if (user === undefined || password === undefined) return undefined
  return { kind: 'basicauth', at, value: password, form: 'chosen', user }
}

const opaque = /[\w+/.=~-]{16,2000}/y

function bearer(text: string, at: number): Finding | undefined {
  opaque.lastIndex = at
  const value = opaque.exec(text)?.[0]
  // JSON Web Tokens have their own rule; a bracket continues a placeholder
  if (value === undefined || value.startsWith('eyJ') || '{<['.includes(text[at + value.length] ?? ' ')) return undefined
  return looksRandom(value) ? { kind: 'bearer', at, value, form: 'random' } : undefined
}

const userAndPassword = new RegExp(`([^\\s:"'/]{1,${most}}):([^\\s"']{3,${most}})`, 'y')
const passwordAlone = new RegExp(`[^\\s"']{8,${most}}`, 'y')
/** Characters before the option in which the command is searched. */
const commandReach = 200
const takesUser = /\b(?:curl|wget|http|https)\b/
const takesPassword =
  /\b(?:mysql\w*|mariadb\w*|sshpass|redis-cli|mongosh?|docker login|helm registry login|psql|sqlcmd)\b/

function inCommand(text: string, at: number, from: number): Finding | undefined {
  const line = text.slice(Math.max(0, at - commandReach), at)
  const command = line.slice(line.lastIndexOf('\n') + 1)
  const rest = text.slice(from, from + most)
  if (takesUser.test(command)) {
    userAndPassword.lastIndex = from
    const [, user, value] = userAndPassword.exec(text) ?? []
    const host = /https?:\/\/([^\s/"']{1,256})/.exec(`${command} ${rest}`)?.[1] ?? ''
    if (user !== undefined && value !== undefined)
      return { kind: 'basicauth', at: from, value, form: 'chosen', user, host }
  }
  if (takesPassword.test(command)) {
    passwordAlone.lastIndex = from
    const value = passwordAlone.exec(text)?.[0]
    if (value !== undefined && looksRandom(value)) return { kind: 'password', at: from, value, form: 'chosen' }
  }
  return undefined
}
