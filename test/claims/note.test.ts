import { describe, expect, it } from 'vitest'
import { keptIn, knowsNothing, standsAlone } from '../../src/claims/note.ts'

describe('the note by which a person answers which of two claims holds', () => {
  it.each([
    ['The older record is correct; the newer was a mistake.', 'older'],
    ['the newer one is right, Calum confirmed it', 'newer'],
    ['latest', 'newer'],
    ['The old rule still holds, but only on Fridays.', undefined],
    ['The new winch is greased every 8 months.', undefined],
    ['New, it is greased.', undefined],
  ])('keeps a claim, or none: %s', (note, kept) => expect(keptIn(note)).toBe(kept))

  it.each([
    ['Six people are on call.', true],
    ['It is six.', false],
    ['Both hold: one has five people on call, the other seven.', false],
    ['yes', false],
    ['The newer is not quite right, only some people are on call.', false],
    ['People on call: as the first one says.', false],
    ['The new on-call people start in May.', true],
    ['The second on-call rotation has six people.', true],
  ])('names what the claims are about, or does not: %s', (note, is) => {
    const claims = ['The on-call rotation has seven people.', 'The on-call rotation has five people.']
    expect(standsAlone(note, claims)).toBe(is)
  })

  it('needs words of its own if the claims have none', () => {
    const claims = ['It is 5.', 'It is 6.']
    for (const note of ['yes', '7', 'the first one']) expect(standsAlone(note, claims)).toBe(false)
    expect(standsAlone('The harbour has 7 cranes.', claims)).toBe(true)
  })

  it.each(['I don’t know', 'no idea, ask Ada', '???'])('does not know: %s', (note) => {
    expect(knowsNothing(note)).toBe(true)
  })
  it('knows something', () => expect(knowsNothing('Ada does not know it, but I do: it is six.')).toBe(false))
})
