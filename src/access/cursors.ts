/**
 * Opaque cursors: sealed with AES-256-GCM under a key kept in the store, so that a caller can neither forge one nor
 * read positions out of it, nor guess them from its length. Rotatable: the predecessor is still accepted. `kind` is
 * bound into the seal.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type Clock, instant } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { type Setting, settingOf, settings } from './settings.ts'

export type CursorKind = 'search' | 'decision_search' | 'sync' | 'receipts'

export interface Cursors {
  /** base64url, at most 4,096 characters. */
  seal(kind: CursorKind, content: unknown): string
  /** undefined: forged, cut, of another kind, or of a key that is gone. */
  open(kind: CursorKind, cursor: string): unknown
}

interface CursorKey {
  /** 1 to 255: which key sealed a cursor stands in its first byte. */
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
/** Content is filled up with spaces to a multiple of so many bytes: a sequence in it has more digits in a larger journal. */
const blockBytes = 256
/** Bytes of content that fit into `longest`. */
const mostContent = Math.floor((longest * 3) / 4) - 1 - nonceBytes - tagBytes
/** How often a process looks whether the keys were rotated, in ms. */
const reloadEvery = 30_000
/** A new key seals nothing before every process has it. */
const settled = 2 * reloadEvery

/** `failed` hears of a look at the keys that failed; the keys at hand go on serving. */
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
      if (cursor.length > longest) throw new Error(`a ${kind} cursor would have ${cursor.length} characters`)
      return cursor
    },

    open(kind, cursor) {
      if (cursor.length > longest || !/^[\w-]+$/.test(cursor)) return undefined
      const bytes = Buffer.from(cursor, 'base64url')
      // Node ignores a last character that is too much
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
        return undefined // the seal is broken: whose fault it is makes no difference
      }
    },
  }
}

/**
 * A new key; the one before it goes on opening its cursors, the one before that is gone.
 * Throws if the newest key is younger than a minute: no process may seal with it yet.
 */
export async function rotateCursorKey(documents: Documents, clock: Clock): Promise<void> {
  await settingOf(documents, setting, () => [newKey(1, clock)])
  const { version, value } = (await documents.get(settings, setting)) as Setting
  const [newest, predecessor] = value as [CursorKey, CursorKey?]
  if (predecessor && clock.now() - Date.parse(newest.made_at) < settled) {
    throw new Error('The cursor key was rotated less than a minute ago. Try again in a minute.')
  }
  const keys = [newKey((newest.number % 255) + 1, clock), newest]
  // whoever was first has rotated: once is enough
  await documents.update(settings, setting, { set: { value: keys }, inc: { version: 1 } }, { version })
}

/** JSON with spaces behind it reads the same: cursors sealed without them are still opened. */
function filledUp(json: string): Buffer {
  const bytes = Buffer.from(json)
  const length = Math.min(Math.ceil(bytes.length / blockBytes) * blockBytes, Math.max(bytes.length, mostContent))
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.length, ' ')])
}

function newKey(number: number, clock: Clock): CursorKey {
  return { number, key: randomBytes(32).toString('base64'), made_at: instant(clock) }
}

/** Newest first. */
function sealing(keys: CursorKey[], now: number): CursorKey {
  const [newest, predecessor] = keys as [CursorKey, CursorKey?]
  return predecessor && now - Date.parse(newest.made_at) < settled ? predecessor : newest
}
