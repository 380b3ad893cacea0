/** Rules read any text before a write is applied, so none may be slow. A slow rule exceeds the timeout of the test. */
import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../src/claims/reading/statement.ts'
import { explicitQuestionsIn } from '../../src/questions/raise/explicit-questions.ts'
import { hedgedIn } from '../../src/questions/raise/hedges.ts'

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

describe('rules on hostile texts', () => {
  it('finish within the timeout for every pair of repeated pieces', { timeout: 60_000 }, () => {
    let read = 0
    for (const one of pieces) {
      for (const other of ['', ...pieces]) {
        const text = `${one}${other}`.repeat(length).slice(0, length)
        explicitQuestionsIn(text)
        hedgedIn(text)
        statementsOf({ title: 'A title', text })
        read++
      }
    }
    expect(read).toBe(pieces.length * (pieces.length + 1))
  })
})
