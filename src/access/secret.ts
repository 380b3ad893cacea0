/** The secret of a key: a prefix and 43 random characters (256 bits). It is shown once and stored as SHA-256. */
import { hash, randomBytes } from 'node:crypto'

export const secretPrefix = 'svc_sk_'
/** Of the key of one session of a run. */
export const sessionPrefix = 'svc_run_'
/** The prefix and at least 32 characters. Keys from configuration must match too. */
export const secretPattern = /^svc_sk_[A-Za-z0-9]{32,200}$/
export const sessionSecretPattern = /^svc_run_[A-Za-z0-9]{32,200}$/

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = 43
/** The largest multiple of 62 that fits into a byte. Without this limit the first letters would be more likely. */
const fair = 248

export function newSecret(prefix: typeof secretPrefix | typeof sessionPrefix = secretPrefix): string {
  let random = ''
  while (random.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < fair && random.length < length) random += alphabet[byte % alphabet.length]
    }
  }
  return prefix + random
}

/**
 * In hex. Secrets are long and random, so a plain hash can't be reversed, and a look-up by hash leaks nothing by its
 * time.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret)
}
