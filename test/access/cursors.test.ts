import { createCipheriv, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openCursors, rotateCursorKey } from '../../src/access/cursors.ts'
import { type Setting, settings } from '../../src/access/settings.ts'
import { openStore, type Store } from './store.ts'

let store: Store
beforeEach(async () => {
  store = await openStore()
})
afterEach(() => store.close())

const cursors = () => openCursors(store.documents, store.clock)
const content = { position: 42, list: 'ä' }

it('a cursor can be opened by other processes, even if all start at once', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, cursors))
  const sealed = all.map((one) => one.seal('sync', content))
  for (const one of all) for (const cursor of sealed) expect(one.open('sync', cursor)).toEqual(content)
})

it('a cursor reveals nothing, and is refused if it is forged, cut or of another kind', async () => {
  const one = await cursors()
  const cursor = one.seal('search', content)
  expect(cursor).toMatch(/^[\w-]{1,4096}$/)
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('position')
  expect(one.open('sync', cursor)).toBeUndefined()
  for (const forged of ['', 'x', '!', cursor.slice(1), cursor.slice(0, -4), `${cursor}AAAA`, 'A'.repeat(5000)]) {
    expect(one.open('search', forged)).toBeUndefined()
  }
  for (let at = 0; at < cursor.length - 1; at += 3) {
    const flipped = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    expect(one.open('search', flipped)).toBeUndefined()
  }
})

it('a cursor of the previous key can be opened, also by processes older than the rotation', async () => {
  const [before, reader] = [await cursors(), await cursors()]
  const old = before.seal('sync', content)
  store.clock.pass(60_000)
  await rotateCursorKey(store.documents, store.clock)
  const after = await cursors()
  expect(after.open('sync', old)).toEqual(content)
  // a process that has not reloaded the keys must open cursors made right after the rotation
  expect(reader.open('sync', after.seal('sync', content))).toEqual(content)
  store.clock.pass(60_000)
  reader.open('sync', old)
  const renewed = after.seal('sync', content)
  await expect.poll(() => reader.open('sync', renewed)).toEqual(content)
  await rotateCursorKey(store.documents, store.clock)
  expect((await cursors()).open('sync', old)).toBeUndefined()
  expect((await store.documents.get(settings, 'cursor_keys'))?.value).toHaveLength(2)
})

it('the cursor key is not rotated again before every process has the new one', async () => {
  await cursors()
  await rotateCursorKey(store.documents, store.clock)
  await expect(rotateCursorKey(store.documents, store.clock)).rejects.toThrow('less than a minute')
})

it('a cursor has the same length for any position, and a bounded length for long content', async () => {
  const one = await cursors()
  const lengths = [0, 9, 10, 12_345, Number.MAX_SAFE_INTEGER].map((position) => {
    return one.seal('sync', { workspace: 'w'.repeat(36), position, safe: position, beyond: null }).length
  })
  expect(new Set(lengths).size).toBe(1)
  const long = { list: 'ä'.repeat(1_500) }
  expect(one.seal('receipts', long).length).toBeLessThanOrEqual(4096)
  expect(one.open('receipts', one.seal('receipts', long))).toEqual(long)
  expect(() => one.seal('receipts', { list: 'ä'.repeat(1_600) })).toThrow('a receipts cursor is too long')
})

it('a cursor that was made before content was padded can be opened', async () => {
  const one = await cursors()
  const { value } = (await store.documents.get(settings, 'cursor_keys')) as Setting
  const [{ number, key }] = value as [{ number: number; key: string }]
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce)
  cipher.setAAD(Buffer.from('sync'))
  const sealed = [cipher.update(JSON.stringify(content)), cipher.final()]
  const old = Buffer.concat([Buffer.of(number), nonce, cipher.getAuthTag(), ...sealed]).toString('base64url')
  expect(one.open('sync', old)).toEqual(content)
})
