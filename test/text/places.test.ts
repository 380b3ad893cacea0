import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countsIn, frequencyIn, placesText } from '../../src/text/places.ts'

describe('the places of terms', () => {
  it('reads back the places of every term', () => {
    const anyTerm = fc.constantFrom('a', 'b', 'ab', '5', '1a', 'c++', '10.0.0.1', 'データ')
    fc.assert(
      fc.property(fc.array(anyTerm, { maxLength: 2000 }), fc.array(anyTerm), (tokens, asked) => {
        const text = placesText(tokens)
        const places = asked.map((term) => tokens.flatMap((token, at) => (token === term ? [at] : [])))
        const frequencies = places.map(({ length }) => length)
        expect(asked.map((term) => frequencyIn(text, term))).toEqual(frequencies)
        if (tokens.length > 0) expect(countsIn(text, asked)).toEqual({ frequencies, places })
      }),
    )
  })

  it('reads the frequencies of older formats, which have no places', () => {
    expect(countsIn(' queue =12 store ', ['queue', 'store', 'cache'])).toEqual({ frequencies: [12, 1, 0] })
  })
})
