/**
 * SHA-256 for what the import computes on the command line and in browsers alike. Browsers have it only on pages with TLS,
 * and Node only in node:crypto.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

export interface Sha256 {
  update(data: string | Uint8Array): Sha256
  /** The hash of all data, in hexadecimal. Call it once. */
  hex(): string
}

export function sha256Of(text: string): string {
  return createSha256().update(text).hex()
}

export function createSha256(): Sha256 {
  const state = sha256.create()
  const hash: Sha256 = {
    update(data) {
      state.update(typeof data === 'string' ? utf8ToBytes(data) : data)
      return hash
    },
    hex: () => bytesToHex(state.digest()),
  }
  return hash
}
