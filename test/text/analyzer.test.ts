import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyze, maxTokenLength, tokensInPieces } from '../../src/text/analyzer.ts'
import { fold } from '../../src/text/fold.ts'
import { termsOf } from '../../src/text/query.ts'
import { stopWords } from '../../src/text/stop-words.ts'

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())

describe('the analyzer', () => {
  const cases: [text: string, tokens: string[]][] = [
    ['The connections were connected to Postgres', ['connect', 'connect', 'postgr']],
    ['foo_bar HTTP/2 v1.2 10.0.0.1 2024-01-05', ['foo', 'bar', 'http', '2', 'v1.2', '10.0.0.1', '2024', '01', '05']],
    ['C++ and C# or F#. But c+ is c', ['c++', 'c#', 'f#', 'c', 'c']],
    ["Don't! The company's team won’t; we'll see o'clock", ['compani', 'team', 'see', 'o', 'clock']],
    ['It ended in 1978. 5 others', ['end', '1978', '5', 'other']],
    [
      'Straße STRASSE ＡＢＣ ﬁne Ångström naïve İstanbul Łódź',
      'strass strass abc fine angstrom naiv istanbul lodz'.split(' '),
    ],
    ['1․2 1…2', ['1.2', '1', '2']],
    [
      'getUserById parseHTTPResponse APIs',
      ['getuserbyid', 'get', 'user', 'id', 'parsehttprespons', 'pars', 'http', 'respons', 'api'],
    ],
    ['OAuth2 utf8 10MB v1 k8s', ['oauth2', 'oauth', '2', 'auth', 'utf8', 'utf', '8', '10mb', '10', 'mb', 'v1', 'k8s']],
    ['الإجازات إجازةٌ كتـاب ٤٨', ['اجاز', 'اجاز', 'كتاب', '48']],
    ['ключами ключ красный красного', ['ключ', 'ключ', 'красн', 'красн']],
    ['Rechnungen Rechnung zero\u200bwidth', ['rechnung', 'rechnung', 'zerowidth']],
    ['“smart” quotes – and dashes…', ['smart', 'quot', 'dash']],
    ['Ελλάδα ΕΛΛΑΔΑ λόγος ΛΟΓΟΣ', ['ελλαδα', 'ελλαδα', 'λογοσ', 'λογοσ']],
    ['データベースを選ぶ', ['データベース', 'を', '選ぶ']],
    ['ภาษาไทย and 中文分词', ['ภาษา', 'ไทย', '中文', '分词']],
    ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
    ['한국어 텍스트 DB를', ['한국', '국어', '텍스', '스트', 'db', '를']],
    ['Überfluß\u00adzeichen co\u200dop', ['uberflusszeich', 'coop']],
    ['🚀 rocket 👩‍💻', ['rocket']],
    ['to be or not to be', []],
    [' \n\t.,;', []],
    ['', []],
  ]
  for (const [text, tokens] of cases) {
    it(`gives ${JSON.stringify(tokens)} for ${JSON.stringify(text)}`, () => expect(analyze(text)).toEqual(tokens))
  }

  it('gives bounded tokens without white space and stop words for any text, always the same', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = analyze(text)
        for (const token of tokens) {
          expect(token.length).toBeGreaterThan(0)
          expect(token.length).toBeLessThanOrEqual(maxTokenLength)
          expect(token).not.toMatch(/\s/)
          expect(token).not.toMatch(/\p{Surrogate}/u)
        }
        expect(analyze(text)).toEqual(tokens)
      }),
      { numRuns: 2000 },
    )
  })

  it('gives the same tokens for any case and Unicode form', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const tokens = analyze(text)
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) expect(analyze(text.normalize(form))).toEqual(tokens)
      }),
      { numRuns: 2000 },
    )
    expect(analyze('POSTGRES ÜBER ALLES')).toEqual(analyze('postgres über alles'))
  })

  it('cuts long tokens at 64 characters, but not inside a surrogate pair', () => {
    expect(analyze('x1'.repeat(5000))).toEqual(['x1'.repeat(32)])
    expect(analyze(`a${'𝒳'.repeat(100)}`)[0]).toMatch(/^ax+$/)
    const [gothic] = analyze(`a${'𐌰'.repeat(100)}`)
    expect(gothic).toBe(`a${'𐌰'.repeat(31)}`)
  })

  it('segments a run of any length without splitting a surrogate pair', () => {
    for (const run of ['日'.repeat(60_000), '𠮷'.repeat(2_999), `x${'𠮷'.repeat(2_999)}`]) {
      const tokens = analyze(run)
      expect(tokens.join('')).toBe(run)
      expect(tokens.some((token) => /\p{Surrogate}/u.test(token))).toBe(false)
    }
  })

  it('gives each word the same token when the word table is full', () => {
    const before = analyze('connections decisions naming')
    for (let n = 0; n < 100_000; n++) analyze(`word${n} letters${'abcdefghij'[n % 10]}${n}`)
    expect(analyze('connections decisions naming')).toEqual(before)
  })

  it('counts a title twice, topics and text once', () => {
    const tokens = [...tokensInPieces({ title: 'Queues', topics: ['Message brokers'], text: 'We use queues.' })].flat()
    const times = (token: string) => tokens.filter((other) => other === token).length
    expect([times('queue'), times('broker'), times('us')]).toEqual([3, 1, 1])
  })

  it('gives a long text the tokens that it would have as one piece, in many pieces', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'don’t',
        'getUserById',
        'v1.2',
        'c++',
        'résumé',
        '데이터베이스',
        '漢字。',
        '日本語のテキスト',
        'ไทย',
        '!',
        '\n\n',
        '\u0301',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 50, maxLength: 200 }), (words) => {
        const text = `${words.join(' ')} `.repeat(50)
        const pieces = [...tokensInPieces({ title: '', topics: [], text })]
        expect(pieces.flat()).toEqual(analyze(text))
        expect(pieces.length).toBeGreaterThan(text.length / 25_000)
      }),
      { numRuns: 30 },
    )
    const unbroken = { title: '', topics: [], text: '漢'.repeat(190_000) }
    const pieces = [...tokensInPieces(unbroken)]
    expect(pieces.flat().join('')).toBe(unbroken.text)
    expect(pieces.length).toBeGreaterThan(9)
  })

  it('has only folded stop words', () => {
    for (const word of stopWords) expect(fold(word)).toBe(word)
  })
})

describe('folding', () => {
  it('is idempotent for every character', () => {
    const changed: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const once = fold(String.fromCodePoint(code))
      if (fold(once) !== once) changed.push(code.toString(16))
    }
    expect(changed).toEqual([])
  })

  it('is idempotent for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the terms of a query', () => {
  it('are distinct, each with its number of occurrences', () => {
    expect(termsOf('queues, queue and brokers')).toEqual({ terms: ['queue', 'broker'], weights: [2, 1] })
  })

  it('are at most 64, the most frequent ones', () => {
    const words = Array.from({ length: 200 }, (_, n) => `w${n}`)
    const { terms, weights } = termsOf(`${words.join(' ')} w150 w150 w199`)
    expect(terms.slice(0, 3)).toEqual(['w150', 'w199', 'w0'])
    expect([terms.length, weights.length, weights[0]]).toEqual([64, 64, 3])
  })

  it('are empty for a query of stop words only', () => {
    expect(termsOf('what is it that you do')).toEqual({ terms: [], weights: [] })
  })
})
