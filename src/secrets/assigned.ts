/**
 * Values assigned to a name that says they are secret: `DB_PASSWORD=…`, `"client_secret": "…"`, `AccountKey=…;`, `the
 * admin password is …`. The name proves little, so the value must look random too, unless it is noted behind the label
 * of a password.
 */
import { inPairs } from './connections.ts'
import { isNotedPassword, isPasswordLabel, isTerm } from './noted.ts'
import { isHex, isUuid, looksRandom } from './random.ts'
import type { Family, Finding } from './rules/rule.ts'

const passwordNames = 'passw|passphrase|kennwort|contraseña|pwd|[_-]pass'
const name = `(?:${passwordNames}|secret|token|credential|key|_auth|[?&]sig)[A-Za-z0-9_]{0,24}`
/** Signs of an assignment in code, configuration, XML, Markdown and tables. */
const sign = '["\'`\\])*\\\\]{0,4}[ \\t]{0,8}(?::=|=>|->|→|==?|:|>|\\||["\']\\svalue=)(?:\\*\\*)?[ \\t]{0,8}'
/** Words of an assignment in sentences: `the password is now: …`. */
const phrase = '(?: [^\\s=:|<>]{1,20}){0,6} (?:is|was|ist|lautet|est|es)(?: now)?:? '
/** A space is enough before a value with a digit: `auth token 1234…`. */
const space = '[ ](?=\\S{0,30}\\d)'

export const assigned: Family = {
  begins: `${name}(?:${sign}|${phrase}|${space})(?=\\S{4})`,
  flags: 'i',
  read(text, at, begin) {
    const from = at + begin.length
    const named = nameAt(text, at, begin)
    if (isPassword.test(named.own) && /\w=$/.test(begin)) {
      const finding = inPairs(text, at, from)
      if (finding) return finding
    }
    const value = valueAt(text, from)
    if (value === undefined || isHarmless(named)) return undefined
    const isNoted = isPasswordLabel(begin) && isNotedPassword(value)
    const strong = isPassword.test(named.own) ? isNoted || isStrongPassword(value) : isStrongKey(value, named.own)
    // name and value with only a space between prove less than an assignment
    if (/^\S*\w $/.test(begin) && !isBeyondDoubt(value, named.own)) return undefined
    return strong ? ({ kind: kindOf(named.own), at: from, value, form: 'chosen' } satisfies Finding) : undefined
  },
}

interface Name {
  /** The name that the search found, such as `SecretAccessKey`. */
  own: string
  /** Characters directly before the name, such as `aws_`. */
  front: string
}

/** The most characters before the name that belong to it. */
const nameReach = 32

function nameAt(text: string, at: number, begin: string): Name {
  const before = text.slice(Math.max(0, at - nameReach), at)
  const [own = ''] = /^[?&]?[\wñ-]+/i.exec(begin) ?? []
  // `continuation token` is harmless, but `page password` is still a password
  const [front = ''] = (isPassword.test(own) ? /[\w.:-]{0,32}$/ : /(?:\w{1,20} )?[\w.:-]{0,32}$/).exec(before) ?? []
  if (!/^key/i.test(own)) return { own, front }
  // the name may have two words: `API key`
  const [kind = ''] = secretKey.exec(before) ?? []
  return { own: kind + own, front: kind === '' ? front : front.slice(0, -kind.length) }
}

/** Words that make a key secret. Keys of caches, tables and objects are not. */
const secretKey =
  /(?:api|access|account|auth|signing|encrypt(?:ion)?|private|master|secret|shared|admin|session|webhook|service|app)[-_ ]?$/i
const isPassword = new RegExp(`^(?:${passwordNames})`, 'i')

function kindOf(own: string): string {
  if (isPassword.test(own)) return 'password'
  if (/secret_?access/i.test(own)) return 'aws'
  return /account_?key|shared_?access|^sig$/i.test(own) ? 'azure' : 'secret'
}

/** Words that make a value harmless: it is public, or only tells where the secret is. */
const harmless =
  /public|publishable|page|next|contin|sync|cursor|cache|[cx]srf|idempot|partition|primary|foreign|encrypted|sealed|hash|digest|sha\d|md5|checksum|finger|_id$|[a-z]Id$|ur[il]$|path|file|_?name$|type|length|ttl|expir|version|ref$|header|prefix|policy|endpoint|scope|arn:/i

function isHarmless({ own, front }: Name): boolean {
  return /^key/i.test(own) || harmless.test(front + own)
}

const quoted = /\\?(["'`“])([^\s"'`”\\]{8,512})\\?["'`”]/y
const bare = /[^\s"'`“,;&<>(){}[\]|\\]{8,512}/y

function valueAt(text: string, at: number): string | undefined {
  quoted.lastIndex = at
  const inQuotes = quoted.exec(text)?.[2]
  if (inQuotes !== undefined) return isReference(inQuotes) ? undefined : inQuotes
  bare.lastIndex = at
  const [value] = bare.exec(text) ?? []
  // not a value but a call or an index: `config.get(…`, `environ[…`
  if (value === undefined || '({['.includes(text[bare.lastIndex] ?? ' ')) return undefined
  const trimmed = value.replace(/[.:!?*]{1,3}$/, '')
  return isReference(trimmed) ? undefined : trimmed
}

/** Whether this only tells where the value is, such as a variable or a path. */
function isReference(value: string): boolean {
  return (
    /^(?:[a-z][\w+.-]{0,20}:|[.~]{1,2}\/|-)/i.test(value) ||
    /^[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+$/.test(value)
  )
}

const leastPassword = 8
const leastKey = 16
/** The fewest characters of a hexadecimal key. Shorter values are numbers of something. */
const leastHex = 32

function isStrongPassword(value: string): boolean {
  return value.length >= leastPassword && !isUuid(value) && !isTerm(value) && looksRandom(value)
}

function isStrongKey(value: string, own: string): boolean {
  // npm tokens of the old form are UUIDs
  if (isUuid(value)) return /^_auth/i.test(own)
  if (value.length < leastKey || !/\d/.test(value)) return false
  return isHex(value) ? value.length >= leastHex : looksRandom(value)
}

/** The fewest characters of a token after a space. Ids in sentences are shorter. */
const leastAlone = 20

function isBeyondDoubt(value: string, own: string): boolean {
  if (isHex(value)) return value.length >= leastHex
  const hasThreeKinds = /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value)
  return hasThreeKinds && (isPassword.test(own) || value.length >= leastAlone)
}
