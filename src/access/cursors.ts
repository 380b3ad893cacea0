/**
 * Opaque cursors, encrypted with AES-256-GCM under a key in the store. Callers can neither forge a cursor nor read
 * positions from it or its length. Keys can be rotated: cursors of the previous key are still accepted. The kind is
 * authenticated too, so a cursor works for one kind of list only.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Clock, instant } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { type Setting, settingOf, settings } from './settings.ts'

export type CursorKind = 'search' | 'decision_search' | 'sync' | 'receipts' | 'list'

export interface Cursors {
  /** base64url, at most 4,096 characters. */
  seal(kind: CursorKind, content: unknown): string
  /** undefined: forged, truncated, of another kind, or encrypted with a deleted key. */
  open(kind: CursorKind, cursor: string): unknown
}

interface CursorKey {
  /** 1 to 255. The first byte of a cursor names its key. */
  number: number
  /** 32 bytes, base64. */
  key: string
  /** ISO 8601. */
  made_at: string
}

const setting = 'cursor_keys'
const longest = 4_096
const nonceBytes = 12
const tagBytes = 16
/**
 * Content is padded with spaces to a multiple of this. Without padding, the length would reveal how large the journal
 * is.
 */
const blockBytes = 256
/** The most bytes of content in a cursor. */
const mostContent = Math.floor((longest * 3) / 4) - 1 - nonceBytes - tagBytes
/** ms. How often a process looks for rotated keys. */
const reloadEvery = 30_000
/** ms. A new key is used only after every process has loaded it. */
const settled = 2 * reloadEvery

/** `failed` is called if the keys can't be reloaded; the known keys stay in use. */
export async function openCursors(
  documents: Documents,
  clock: Clock,
  failed: (error: unknown) => void = () => {},
): Promise<Cursors> {
  let keys = await settingOf(documents, setting, () => [newKey(1, clock)])
  let looked = clock.elapsed()

  function keysNow(): CursorKey[] {
    if (clock.elapsed() - looked >= reloadEvery) {
      looked = clock.elapsed()
      documents.get(settings, setting).then((found) => {
        if (found) keys = found.value as CursorKey[]
      }, failed)
    }
    return keys
  }

  return {
    seal(kind, content) {
      const { number, key } = sealing(keysNow(), clock.now())
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce)
      cipher.setAAD(Buffer.from(kind))
      const sealed = [cipher.update(filledUp(JSON.stringify(content))), cipher.final()]
      const cursor = Buffer.concat([Buffer.of(number), nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
      if (cursor.length > longest) throw new Error(`a ${kind} cursor is too long: ${cursor.length} characters`)
      return cursor
    },

    open(kind, cursor) {
      if (cursor.length > longest || !/^[\w-]+$/.test(cursor)) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // the decoder ignores a character too many at the end
      if (bytes.toString('base64url') !== cursor) return undefined
      const key = keysNow().find(({ number }) => number === bytes[0])
      if (!key || bytes.length < 1 + nonceBytes + tagBytes) return undefined
      const tagAt = 1 + nonceBytes
      try {
        const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key.key, 'base64'), bytes.subarray(1, tagAt))
        decipher.setAAD(Buffer.from(kind))
        decipher.setAuthTag(bytes.subarray(tagAt, tagAt + tagBytes))
        const opened = [decipher.update(bytes.subarray(tagAt + tagBytes)), decipher.final()]
        return JSON.parse(Buffer.concat(opened).toString('utf8'))
      } catch {
        return undefined // forged, or a key that was replaced in a restored store
      }
    },
  }
}

/**
 * Creates a new key. Cursors of the previous key can still be opened; the key before that is deleted. Throws if the
 * newest key is younger than a minute, because other processes may not have loaded it.
 */
export async function rotateCursorKey(documents: Documents, clock: Clock): Promise<void> {
  await settingOf(documents, setting, () => [newKey(1, clock)])
  const { version, value } = (await documents.get(settings, setting)) as Setting
  const [newest, predecessor] = value as [CursorKey, CursorKey?]
  if (predecessor && clock.now() - Date.parse(newest.made_at) < settled) {
    throw new Error('The cursor key was rotated less than a minute ago. Try again in a minute.')
  }
  const keys = [newKey((newest.number % 255) + 1, clock), newest]
  // if another process was faster, it has rotated the keys, and once is enough
  await documents.update(settings, setting, { set: { value: keys }, inc: { version: 1 } }, { version })
}

/** JSON allows trailing spaces. Cursors without padding are still opened. */
function filledUp(json: string): Buffer {
  const bytes = Buffer.from(json)
  const length = Math.min(Math.ceil(bytes.length / blockBytes) * blockBytes, Math.max(bytes.length, mostContent))
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length, ' ')])
}

function newKey(number: number, clock: Clock): CursorKey {
  return { number, key: randomBytes(32).toString('base64'), made_at: instant(clock) }
}

/** The key for new cursors. Expects the newest key first. */
function sealing(keys: CursorKey[], now: number): CursorKey {
  const [newest, predecessor] = keys as [CursorKey, CursorKey?]
  return predecessor && now - Date.parse(newest.made_at) < settled ? predecessor : newest
}
