import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from '../../src/text/stem.ts'

/** The examples of Porter's paper (Program 14(3), 1980), by step, with the result of the whole algorithm. */
const pairs = `caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, agreed agre, plastered plaster,
  bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan,
  falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat,
  conditional condit, rational ration, valenci valenc, hesitanci hesit, digitizer digit, conformabli conform,
  radicalli radic, differentli differ, vileli vile, analogousli analog, vietnamization vietnam, predication predic,
  operator oper, feudalism feudal, decisiveness decis, hopefulness hope, callousness callous, formaliti formal,
  sensitiviti sensit, sensibiliti sensibl, triplicate triplic, formative form, formalize formal, electriciti electr,
  electrical electr, hopeful hope, goodness good, revival reviv, allowance allow, inference infer, airliner airlin,
  gyroscopic gyroscop, adjustable adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust,
  dependent depend, adoption adopt, homologou homolog, communism commun, activate activ, angulariti angular,
  homologous homolog, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control,
  roll roll, generalizations gener, oscillators oscil, a a, is is, by by`

describe('the stemmer', () => {
  it('gives the published results for the published examples', () => {
    const expected = pairs.split(/,\s*/).map((pair) => pair.split(' '))
    expect(expected.map(([word]) => [word, stem(word as string)])).toEqual(expected)
  })

  it("agrees with SQLite's stemmer on combined roots and suffixes and on any letters", () => {
    const letters = fc.string({ unit: fc.constantFrom(...'aeiouybcdlmnrstvwxz'), minLength: 1, maxLength: 12 })
    const root = fc.constantFrom(
      'oper',
      'nat',
      'hop',
      'hopp',
      'y',
      'by',
      'trou',
      'conform',
      'log',
      'agre',
      'fall',
      'bl',
      'tr',
    )
    const suffix = fc.constantFrom(
      ...'s es ies sses ed eed ing y ational tional enci izer abli bli alli entli eli ousli ization ation ator alism'.split(
        ' ',
      ),
      ...'iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic'.split(
        ' ',
      ),
      ...'able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize e l ll'.split(' '),
    )
    const built = fc.tuple(root, fc.array(suffix, { maxLength: 3 })).map(([start, ends]) => start + ends.join(''))
    const words = fc.sample(fc.oneof(letters, built), { numRuns: 20_000, seed: 1 })
    expect(words.map(stem)).toEqual(stemsOfSqlite(words))
  })

  it('leaves words of one and two letters unchanged', () => {
    for (const word of ['', 'a', 's', 'is', 'ed']) expect(stem(word)).toBe(word)
  })
})

function stemsOfSqlite(words: readonly string[]): string[] {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE VIRTUAL TABLE f USING fts5(t, tokenize = 'porter ascii');
           CREATE VIRTUAL TABLE v USING fts5vocab(f, instance)`)
  const insert = db.prepare('INSERT INTO f (rowid, t) VALUES (?, ?)')
  for (const [n, word] of words.entries()) insert.run(n, word)
  const stems = new Map<number, string>()
  for (const { doc, term } of db.prepare('SELECT doc, term FROM v').all() as unknown as {
    doc: number
    term: string
  }[]) {
    stems.set(doc, term)
  }
  db.close()
  return words.map((_, n) => stems.get(n) as string)
}
