/** The last output of a session. Credentials are masked before anything is stored. */
import { longestKey } from '../../secrets/mask.ts'
import type { Masker } from './masker.ts'

export interface Output {
  /** A line without its end. */
  add(line: string): void
  /** The last 64 KiB, masked. undefined: the same as the last time. */
  shown(): Promise<string | undefined>
  /** It was not stored: shown() gives it again. */
  repeat(): void
}

/** Bytes. */
const mostShown = 64 * 1024
/** UTF-16 units. What stands before the shown part is searched too: a credential may begin there. */
const kept = mostShown + longestKey

export function sessionOutput(masker: Masker): Output {
  let raw = ''
  let isChanged = false
  return {
    add(line) {
      raw += `${line}\n`
      isChanged = true
      // seldom, because it copies the text
      if (raw.length > 2 * kept) raw = raw.slice(-kept)
    },
    repeat() {
      isChanged = true
    },
    async shown() {
      if (!isChanged) return undefined
      isChanged = false
      const text = raw.slice(-kept)
      return lastBytes(await masker.text(text, Math.max(0, text.length - mostShown)))
    },
  }
}

function lastBytes(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= mostShown) return bytes.toString()
  // without the rest of a character that was cut
  return bytes
    .subarray(-mostShown)
    .toString()
    .replace(/^\uFFFD+/, '')
}
