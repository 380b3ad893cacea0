/** What callers write into a code search: any text is read, and patterns mean what they say. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCodeQuery } from '../../src/code/reading/search/query.ts'
import { snippetOf } from '../../src/code/reading/search/snippet.ts'
import { packText, unpackLines } from '../../src/code/stored/blob.ts'
import { matches } from '../../src/code/stored/path-patterns.ts'
import { Problem } from '../../src/problem.ts'

const none = { repos: [], languages: [], paths: [], symbols: [], texts: [] }

describe('the text of a code search', () => {
  it.each([
    ['cancel an order', { words: 'cancel an order' }],
    ['a "b c" -"d"', { words: 'a', wanted: { texts: ['b c'] }, unwanted: { texts: ['d'] } }],
    [String.raw`"say \"hi\""`, { words: '', wanted: { texts: ['say "hi"'] } }],
    ['path:"a b/c" -path:d', { words: '', wanted: { paths: ['a b/c'] }, unwanted: { paths: ['d'] } }],
    ['lang:TS -lang:c#', { words: '', wanted: { languages: ['typescript'] }, unwanted: { languages: ['csharp'] } }],
    ['Repo:acme/shop symbol:run', { words: '', wanted: { repos: ['acme/shop'], symbols: ['run'] } }],
    ['path::join symbol::new', { words: 'path::join symbol::new' }],
    ['path: lang: - -- "', { words: 'path: lang: - -- "' }],
    ['-rf std::path:x', { words: '-rf std::path:x' }],
    ['say "open end', { words: 'say "open end' }],
  ])('%s', (q, { words, wanted = {}, unwanted = {} }: Record<string, object | string>) => {
    expect(parseCodeQuery(q)).toEqual({
      words,
      wanted: { ...none, ...(wanted as object) },
      unwanted: { ...none, ...(unwanted as object) },
    })
  })

  it('loses no word, whatever is written, or says what is too much', () => {
    const piece = fc.constantFrom('"', '\\"', '-', ' ', ':', 'path:', 'repo:', '-lang:', 'symbol:', '*', 'a', 'é', '\n')
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc.array(piece).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(any, (q) => {
        let parsed: ReturnType<typeof parseCodeQuery>
        try {
          parsed = parseCodeQuery(q)
        } catch (error) {
          expect(error).toBeInstanceOf(Problem)
          expect((error as Problem).message).toMatch(/^q: has \d+ .*: use at most \d+$/)
          return
        }
        const { words, wanted, unwanted } = parsed
        const kept = [words, ...[wanted, unwanted].flatMap((side) => [...side.paths, ...side.symbols, ...side.texts])]
        for (const letter of ['é', '*']) {
          const before = q.split(letter).length
          const named = [wanted, unwanted].flatMap((side) => [...side.repos, ...side.languages])
          expect([...kept, ...named].join(' ').split(letter)).toHaveLength(before)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('may have 20 filters and 20 wildcards together', () => {
    expect(parseCodeQuery('"a" '.repeat(20)).wanted.texts).toHaveLength(20)
    for (const q of ['"a" '.repeat(21), '"'.repeat(3).concat('a" ').repeat(400), 'path:a?'.repeat(21)]) {
      expect(() => parseCodeQuery(`${q} ${'-path:**/* '.repeat(11)}`)).toThrow(Problem)
    }
    expect(() => parseCodeQuery('path:**/*/**/* '.repeat(6))).toThrow('q: has 24 wildcards: use at most 20')
  })
})

/** All ways one after the other. `at` and `from`: where the rest of the pattern and of the path begin. */
function fits(pattern: string, path: string, isStart = true): boolean {
  if (pattern === '') return path === '' || path.startsWith('/')
  if (pattern.startsWith('**/')) {
    if (isStart && fits(pattern.slice(3), path, true)) return true
    return path !== '' && fits(pattern, path.slice(1), path[0] === '/')
  }
  if (pattern.startsWith('**')) {
    return fits(pattern.slice(2), path, isStart) || (path !== '' && fits(pattern, path.slice(1), path[0] === '/'))
  }
  if (path === '') return pattern[0] === '*' && fits(pattern.slice(1), path, isStart)
  if (pattern[0] === '*') {
    return fits(pattern.slice(1), path, isStart) || (path[0] !== '/' && fits(pattern, path.slice(1), false))
  }
  if (pattern[0] === '?' ? path[0] === '/' : pattern[0] !== path[0]) return false
  return fits(pattern.slice(1), path.slice(1), path[0] === '/')
}

describe('patterns of paths', () => {
  it('match what trying all ways one after the other matches', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?'), { minLength: 1, maxLength: 9 })
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pattern, path, (parts, names) => {
        const named = parts
          .join('')
          .replace(/\*{3,}/g, '**')
          .replace(/\/+$/, '')
        fc.pre(/[*?]/.test(named))
        expect([named, names.join('/'), matches(named, names.join('/'))]).toEqual([
          named,
          names.join('/'),
          fits(named, names.join('/')),
        ])
      }),
      { numRuns: 5_000 },
    )
  })

  it('end with long paths and patterns that match in very many ways', () => {
    const path = `${'a/'.repeat(2_000)}b`
    expect(matches(`${'**/*/'.repeat(300)}c`, path)).toBe(false)
    expect(matches(`${'*a*'.repeat(500)}c`, 'a'.repeat(4_000))).toBe(false)
    expect(matches(`${'**/*/'.repeat(10)}b`, path)).toBe(true)
  })
})

describe('a snippet', () => {
  it('is at most 20 lines of 200 characters of its chunk, and begins and ends at the lines that it names', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 250 }).map((text) => text.replace(/[\r\n]/g, ' '))
    const lines = fc.array(fc.oneof(line, fc.constantFrom('needle()', 'say("needle")', '')), {
      minLength: 1,
      maxLength: 90,
    })
    await fc.assert(
      fc.asyncProperty(lines, fc.nat(), fc.nat(), fc.constantFrom('\n', '\r\n'), async (all, x, y, ending) => {
        const packed = await packText(Buffer.from(all.join(ending)))
        const [a, b] = [1 + (x % all.length), 1 + (y % all.length)]
        const chunk = { start: Math.min(a, b), end: Math.max(a, b) }
        const read = unpackLines(packed, chunk)
        expect(read).toEqual(all.slice(chunk.start - 1, chunk.end))
        const { lines: shown, snippet } = await snippetOf(read, chunk.start, ['needl'], ['say("'])
        const parts = snippet.split('\n')
        expect(shown.start).toBeGreaterThanOrEqual(chunk.start)
        expect(shown.end).toBeLessThanOrEqual(chunk.end)
        expect(parts).toHaveLength(shown.end - shown.start + 1)
        expect(parts.length).toBeLessThanOrEqual(20)
        for (const [at, part] of parts.entries()) {
          expect(part.length).toBeLessThanOrEqual(200)
          expect(all[shown.start - 1 + at]).toContain(part)
        }
        const inside = all.slice(chunk.start - 1, chunk.end)
        expect(snippet.includes('say("')).toBe(inside.some((one) => one.slice(0, 200).includes('say("')))
      }),
      { numRuns: 200 },
    )
  })
})
