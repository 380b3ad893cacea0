import { describe, expect, it } from 'vitest'
import { normalisedHash } from '../../src/records/content-hash.ts'

const areEqual = (one: string, other: string) => normalisedHash([one]) === normalisedHash([other])

describe('the hash of a content', () => {
  it.each([
    ['We ship on  Fridays. ', 'we ship on fridays.'],
    ['WE SHIP ON FRIDAYS.', 'We ship on Fridays.'],
    ['We ship\non Fridays.', 'We ship on Fridays.'],
    ['caf\u00e9', 'cafe\u0301'],
  ])('ignores spacing, case and composition: %j, %j', (one, other) => {
    expect(areEqual(one, other)).toBe(true)
  })

  it.each([
    ['The safe dose is 10² units.', 'The safe dose is 102 units.'],
    ['It takes 2⁵ rounds.', 'It takes 25 rounds.'],
    ['It draws 5 mA.', 'It draws 5 MA.'],
    ['It sends 10Mb a second.', 'It sends 10MB a second.'],
    ['Call it with -v.', 'Call it with -V.'],
    ['if ready:\n  start()\n  stop()', 'if ready:\n  start()\nstop()'],
  ])('keeps differences that carry meaning: %j, %j', (one, other) => {
    expect(areEqual(one, other)).toBe(false)
  })
})
