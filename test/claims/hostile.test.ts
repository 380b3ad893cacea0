/** Rules read any text before a write is applied, so none may be slow. A slow rule exceeds the timeout of the test. */
import { describe, expect, it } from 'vitest'
import { contradictionOf } from '../../src/claims/contradiction.ts'
import { explicitQuestionsIn } from '../../src/claims/left-open/explicit-questions.ts'
import { hedgedIn } from '../../src/claims/left-open/hedges.ts'
import { isAllOf } from '../../src/claims/normalized.ts'
import { statementsOf } from '../../src/claims/reading/statement.ts'
import { sentencesOf } from '../../src/text/sentences.ts'

const pieces = [
  'a ',
  'we do not know ',
  'whether ',
  'open question: ',
  'i think ',
  "i'm not ",
  'nobody could tell a b c ',
  'it is still ',
  '1,',
  '12 minutes ',
  '”“',
  '"',
  '`',
  '(',
  '?',
  '. ',
  '.',
  '…',
  '。',
  '. . ',
  'v5, ',
  '5 ms ',
  '\n',
  '- ',
  '# ',
  '| a ',
  'Mr. ',
  'e.g. ',
  'uses the ',
  'A and B ',
  'January 1 ',
  'http://a.b/',
  '日本',
  ' ',
  '_',
]
const length = 20_000
/** As long as a text may be. Quadratic time then exceeds the timeout with one piece. */
const longest = 200_000

describe('rules on hostile texts', () => {
  it('finish within the timeout for every pair of repeated pieces', { timeout: 60_000 }, () => {
    let read = 0
    for (const one of pieces) {
      for (const other of ['', ...pieces]) {
        const text = `${one}${other}`.repeat(length).slice(0, length)
        explicitQuestionsIn(text, 'A title')
        hedgedIn(text, 'A title')
        statementsOf({ title: 'A title', text })
        read++
      }
    }
    expect(read).toBe(pieces.length * (pieces.length + 1))
  })

  it.each(pieces)('finish within the timeout for the longest text of “%s”', { timeout: 10_000 }, (piece) => {
    const text = `Who owns Zork? It is probably Ada.\n${piece.repeat(longest / piece.length)}x`
    expect(isAllOf('Who owns Zork?', text)).toBe(false)
    expect(isAllOf(text, `${text} y`)).toBe(false)
    expect(sentencesOf(text)[0]?.text).toBe('Who owns Zork?')
  })

  it('compare two statements of many values within the timeout', { timeout: 10_000 }, () => {
    for (const piece of ['v5, ', '5 ms ', '€5 ', '5 % ', '5 May ', '5:00 ', 'A5, '])
      for (let n = 0; n < 30; n++) {
        const text = `The limit of Zork ${n} is ${piece.repeat(800 / piece.length)}x`
        contradictionOf({ title: 'Zork', text }, { title: 'Zork', text: text.replaceAll('5', '7') })
      }
  })
})
