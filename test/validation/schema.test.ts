import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { atMost, characters, text, uri, uuid } from '../../src/validation/schema.ts'

describe('a URI', () => {
  it.each([
    'https://docs.example.com/a/b?c=d/e&f=?#g/h?',
    'http://[::1]:8080/x',
    'http://user:word@host:1/x',
    'https://en.wikipedia.org/wiki/A_(b)',
    'http://a/%41%c3%a4',
    'mailto:ann@example.com',
    'urn:isbn:0451450523',
    'git+ssh://git@example.com/x.git',
  ])('is stored unchanged: %s', (given) => {
    expect(uri.parse(given)).toBe(given)
  })

  it.each([
    ['https://example.com/ä b', 'https://example.com/%C3%A4%20b'],
    ['https://example.com/x?filter[kind]=a', 'https://example.com/x?filter%5Bkind%5D=a'],
    ['http://[::1]/x?a[]=1', 'http://[::1]/x?a%5B%5D=1'],
  ])('is converted to ASCII by RFC 3986: %s', (given, kept) => {
    expect(uri.parse(given)).toBe(kept)
  })

  it.each(['/docs/x', 'a:', 'http://', 'http://a/%zz', 'http://a/%4', 'http://[x]/', 'http://a/b#c#d', 'http://a/<b>'])(
    'is refused if it is %s',
    (given) => {
      expect(uri.safeParse(given).success).toBe(false)
    },
  )
})

describe('a text', () => {
  it.each([' ', '\n\t', '\u00a0', '\u200b', '\u2060\ufeff', '\u0000', '\u3164', '\u2800', '\ufe0f', '\u{e0041}'])(
    'is refused if it has no visible character: %j',
    (given) => {
      expect(text(1, 10).safeParse(given).error?.issues[0]?.message).toBe('must not be blank')
      expect(text(0, 10).safeParse(given).success).toBe(true)
      expect(characters(1, 10).safeParse(given).success).toBe(true)
    },
  )

  it.each([' x ', '\u200by', '👩‍👩‍👧', '❤️', '🇨🇭', '.', '字', '\ue000'])('is stored unchanged: %j', (given) => {
    expect(text(1, 10).parse(given)).toBe(given)
  })

  it('says of an empty text that it is empty, and of half a pair that it is no Unicode', () => {
    expect(text(1, 10).safeParse('').error?.issues[0]?.message).toBe('must not be empty')
    expect(text(1, 10).safeParse('\ud800').error?.issues[0]?.message).toContain('surrogate')
  })
})

it('the pattern of UUIDs in JSON Schema accepts both cases, as the service does', () => {
  const { pattern } = z.toJSONSchema(uuid, { io: 'input' })
  const upper = '0190A8F0-7C3A-7CC1-9B3E-6C0F1D2E3A4B'
  expect(new RegExp(pattern as string).test(upper)).toBe(true)
  expect(uuid.parse(upper)).toBe(upper.toLowerCase())
})

it('JSON Schema tells the most and the fewest items of a list', () => {
  const list = atMost(8, z.array(z.string()).min(1))
  expect(z.toJSONSchema(list, { io: 'input' })).toMatchObject({ type: 'array', minItems: 1, maxItems: 8 })
})
