/** The secret of a key: `svc_sk_` and 43 random characters (256 bits). Shown once, kept as SHA-256. */
import { hash, randomBytes } from 'node:crypto'

export const secretPrefix = 'svc_sk_'
/** Prefix and at least 32 characters: what a key made by hand must look like. */
export const secretPattern = /^svc_sk_[A-Za-z0-9]{32,200}$/

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 43
/** The greatest multiple of 62 in a byte: bytes above it would make the first letters likelier than the others. */
const fair = 248

export function newSecret(): string {
  let random = ''
  while (random.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && random.length < length) random += alphabet[byte % alphabet.length]
    }
  }
  return secretPrefix + random
}

/** Hex. Secrets are random and long: a plain hash can't be reversed, and finding by it takes no time that tells. */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}
