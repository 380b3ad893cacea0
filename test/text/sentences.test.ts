import { describe, expect, it } from 'vitest'
import { sentencesOf } from '../../src/text/sentences.ts'

describe('the own words of a sentence', () => {
  it.each([
    ['![The mirror](./a/mirror.png?raw=true "The mirror")', ''],
    ['It says “no” and `x.y` at https://a.test/b?c=d today', 'It says and at today'],
  ])('of %s are “%s”', (text, own) => {
    expect(sentencesOf(text).map((one) => one.own.replace(/\s+/g, ' ').trim())).toEqual([own])
  })
})
