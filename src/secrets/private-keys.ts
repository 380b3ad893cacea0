/**
 * Private keys as text: PEM of any kind, OpenSSH, PGP, PuTTY, age, JWK, and PEM in base64 as in Kubernetes and
 * kubeconfig. People paste them quoted, indented, as one line of JSON, or without their end.
 */
import type { Family, Finding } from './rules/rule.ts'

const kind = 'privatekey'

const pemBegin = '-{4,5}\\s?BEGIN[\\s+]{0,2}[A-Za-z0-9\\s+]{0,40}(?:PRIVATE[\\s+]KEY|OpenVPN Static key)'
const puttyBegin = 'Private-Lines:\\s{0,3}\\d{1,3}'
const ageBegin = 'AGE-SECRET-KEY-1'
/** Base64 of `-----BEGIN `. */
const base64Begin = 'LS0tLS1CRUdJTi'
const jwkBegin = '"[dk]"\\s{0,3}:\\s{0,3}"(?=[\\w-]{40})'

export const privateKeys: Family = {
  begins: [pemBegin, puttyBegin, ageBegin, base64Begin, jwkBegin].join('|'),
  read(text, at, begin) {
    const from = at + begin.length
    if (begin.startsWith('-')) return armoured(text, at, from + lengthOf(restOfHeader, text, from))
    if (begin.startsWith('Private-Lines')) return armoured(text, at, from)
    if (begin === ageBegin) return found(at, matchAt(bech32, text, from))
    if (begin === base64Begin) return inBase64(text, at)
    return inJwk(text, at, from)
  },
}

/** ` BLOCK-----` of PGP, `V1-----` of OpenVPN. */
const restOfHeader = /[\sA-Z0-9+]{0,8}-{4,5}/y
const bech32 = /[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/y

/**
 * The fewest base64 characters. The shortest key in use, an Ed25519 key in PKCS#8, has 64, and it may be cut short a
 * little.
 */
const leastBody = 40
/** The fewest characters of one line of a key. Words of a sentence are shorter. */
const leastRow = 24
/** The most characters of a key to read. */
const mostBody = 400
const mostParts = 200

const gap = /(?:[\s>"'`,|#*;:()]|\\{1,4}[nrt]|\\(?=\s)){1,200}/y
const header = /[A-Z][A-Za-z0-9-]{1,30}:\s[^\s\\]{1,200}/y
const row = /[A-Za-z0-9+/=]{1,400}/y
const ellipsis = /\.{2,3}|…|\[\s?\.{3}/y

function armoured(text: string, at: number, from: number): Finding | undefined {
  let body = ''
  let longest = 0
  let here = from
  for (let part = 0; part < mostParts && body.length < mostBody; part++) {
    here += lengthOf(gap, text, here)
    const named = lengthOf(header, text, here)
    const some = named > 0 ? '' : matchAt(row, text, here)
    if (named === 0 && some === '') break
    body += some
    longest = Math.max(longest, some.length)
    here += named + some.length
  }
  // an ellipsis: an example that shows only the start of a key
  if (body.length < mostBody && lengthOf(ellipsis, text, here) > 0) return undefined
  return body.length >= leastBody && longest >= leastRow ? found(at, body) : undefined
}

/** Base64 characters to decode: the header and enough of the body. */
const mostDecoded = 800

function inBase64(text: string, at: number): Finding | undefined {
  const encoded = text.slice(at, at + mostDecoded).replace(/\s|\\[nr]/g, '')
  const pem = Buffer.from(/^[A-Za-z0-9+/]*/.exec(encoded)?.[0] ?? '', 'base64').toString('latin1')
  const begin = new RegExp(pemBegin).exec(pem.slice(0, 80))
  if (!begin) return undefined
  const from = begin.index + begin[0].length
  return armoured(pem, at, from + lengthOf(restOfHeader, pem, from)) && found(at, encoded)
}

/** Characters around the private part in which the type of the JSON Web Key is searched. */
const jwkReach = 1500

function inJwk(text: string, at: number, from: number): Finding | undefined {
  if (!text.slice(Math.max(0, at - jwkReach), at + jwkReach).includes('"kty"')) return undefined
  return found(at, matchAt(/[\w-]{40,800}/y, text, from))
}

function found(at: number, value: string): Finding | undefined {
  return value === '' ? undefined : { kind, at, value, form: 'encoded' }
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0] ?? ''
}

function lengthOf(sticky: RegExp, text: string, at: number): number {
  return matchAt(sticky, text, at).length
}
