import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claimsOf } from '../../../src/questions/compare/claims/claim.ts'
import { clauseWordsOf, mayContradict } from '../../../src/questions/compare/claims/prefilter.ts'
import { contradictionOf, differenceOf } from '../../../src/questions/compare/contradiction.ts'
import { mayDiffer, shapeOfClaim } from '../../../src/questions/compare/shape.ts'
import { keysOfClaim } from '../../../src/questions/compare/subject-keys.ts'

interface Source {
  title: string
  text: string
}
const pairs = ['../../quality/claims/pairs.jsonl', 'pairs-of-the-author.jsonl']
  .flatMap((file) => readFileSync(join(import.meta.dirname, file), 'utf8').split('\n'))
  .flatMap((line): { a: Source | string; b: Source | string }[] => (line === '' ? [] : [JSON.parse(line)]))
  .map(({ a, b }) => ({ a: sourceOf(a), b: sourceOf(b) }))

function sourceOf(one: Source | string): Source {
  return { title: '', text: typeof one === 'string' ? one : one.text }
}

describe('shapes', () => {
  it('never rule out two claims that contradict each other', () => {
    const found = pairs.flatMap(({ a, b }) => contradictionOf(a, b) ?? [])
    const missed = found.filter(({ a, b }) => !mayDiffer(shapeOfClaim(a), shapeOfClaim(b)))
    expect(missed.map(({ a, b }) => [a.text, b.text])).toEqual([])
    expect(new Set(found.map(({ differsIn }) => differsIn)).size).toBe(5)
  })

  it('rule out claims that have nothing to differ in', () => {
    const shapes = [
      'We welcome every visitor of the old harbour.',
      'Visitors of the old harbour are welcome.',
      'Visitors of the old harbour are not welcome.',
      'The old harbour has 300 visitors.',
      'The old harbour opens to visitors on 3 May 2025.',
    ].map((text) => claimsOf('', text).reduce((sum, claim) => sum | shapeOfClaim(claim), 0))
    const table = shapes.map((one) => shapes.map((other) => (mayDiffer(one, other) ? 'x' : '-')).join(''))
    expect(table).toEqual(['--x--', '--x--', 'xx-xx', '--xx-', '--x-x'])
  })
})

describe('prefilter', () => {
  it('never rejects a text with a claim that contradicts the given one', () => {
    const missed: string[][] = []
    let found = 0
    for (const { a, b } of pairs) {
      for (const one of claimsOf(a.title, a.text)) {
        for (const other of claimsOf(b.title, b.text)) {
          if (!differenceOf(one, other)) continue
          found++
          const [words, others] = [clauseWordsOf(a.title, a.text), clauseWordsOf(b.title, b.text)]
          if (!mayContradict(one, others) || !mayContradict(other, words)) missed.push([one.text, other.text])
        }
      }
    }
    expect(missed).toEqual([])
    expect(found).toBeGreaterThan(100)
  })

  it('rejects most texts about another subject', () => {
    const meet = (one: number) =>
      pairs.filter(({ b }, at) => {
        const { a } = pairs[(at + one) % pairs.length] as (typeof pairs)[number]
        const words = clauseWordsOf(b.title, b.text)
        return claimsOf(a.title, a.text).some((claim) => mayContradict(claim, words))
      })
    expect(meet(0).length).toBeGreaterThan(4 * meet(7).length)
  })
})

describe('subject keys', () => {
  it('are shared by every two claims that contradict each other, except with acronyms', () => {
    const found = pairs.flatMap(({ a, b }) => contradictionOf(a, b) ?? [])
    expect(found.length).toBeGreaterThan(10)
    const apart = found.filter(({ a, b }) => {
      const others = new Set(keysOfClaim(b))
      return !keysOfClaim(a).some((key) => others.has(key))
    })
    // claims share no key if one has an acronym that the other spells out
    expect(
      apart.filter(({ a, b }) => !/\p{Lu}{3}/u.test(`${a.text} ${b.text}`)).map(({ a, b }) => [a.text, b.text]),
    ).toEqual([])
    expect(apart.length).toBeLessThanOrEqual(1)
  })

  it('number at most seven for one claim', () => {
    for (const { a, b } of pairs) {
      const found = contradictionOf(a, b)
      if (found) expect(keysOfClaim(found.a).length).toBeLessThanOrEqual(7)
    }
  })
})
