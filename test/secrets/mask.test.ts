import { describe, expect, it } from 'vitest'
import { masked, maskedJson, withheld } from '../../src/secrets/mask.ts'

const token = `ghp_${'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'}`
const row = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const key = `-----BEGIN PRIVATE KEY-----\n${`${row}\n`.repeat(20)}-----END PRIVATE KEY-----`

describe('masking what a program prints', () => {
  it('leaves a text without credentials as it is', async () => {
    expect(await masked('Ran 12 tests.\nAll passed.')).toBe('Ran 12 tests.\nAll passed.')
  })

  it('masks every credential and keeps the text around them', async () => {
    const text = await masked(`first ${token}, then ${token}!\npostgres://app:hUnter2x9Qz@db/x`)
    expect(text).toMatch(
      /^first ghp_\[masked\], then ghp_\[masked\]!\npostgres:\/\/app:\[masked\]@db\/x$|^first \[masked\]/,
    )
    expect(text).not.toMatch(/A1b2C3|hUnter2/)
  })

  it('masks all of a private key, also if its end is missing', async () => {
    expect(await masked(`before\n${key}\nafter`)).toBe('before\n[masked]\nafter')
    expect(await masked(`before\n${key.slice(0, -30)}`)).toBe('before\n[masked]')
  })

  it('shows only the end, but finds a credential that began before it', async () => {
    const text = `${key}\nthe end`
    expect(await masked(text, text.length - 100)).toBe('[masked]\nthe end')
  })

  it('withholds a text that hides a credential by escapes', async () => {
    const hidden = `{\\"token\\": \\"${token.replace('_', '\\u005f')}\\"}`
    expect(await masked(hidden)).toBe(withheld)
  })

  it('masks the texts of a JSON value, and passwords that only their name gives away', async () => {
    const shown = await maskedJson({ a: [`x ${token}`, 1, null], password: 'hUnter2x9Qz!k', ok: 'fine' })
    expect(JSON.stringify(shown)).not.toMatch(/A1b2C3|hUnter2/)
    expect(shown).toMatchObject({ ok: 'fine' })
  })
})
