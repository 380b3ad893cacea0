/** Checks how quality is counted, with results that are made up. */
import { describe, expect, it } from 'vitest'
import type { Row } from '../bench/row.ts'
import type { Comparison } from '../import/facts.ts'
import { recall200 } from './collections.ts'
import { importRowsOf } from './import.ts'

describe('rows of the import', () => {
  const compared = (field: string, stated: unknown, read: unknown): Comparison => {
    return { field, path: 'adr/0001.md', stated, read, isRight: JSON.stringify(stated) === JSON.stringify(read) }
  }
  const valueIn = (rows: readonly Row[], name: string) => rows.find((one) => one.name === `import_set_${name}`)?.value

  it('count decisions that were not read, and files that are none but were read', () => {
    const decisions = [compared('decision', true, true), compared('decision', true, false)]
    const others = [compared('decision', false, true), compared('decision', false, false)]
    const rows = importRowsOf('set', [...decisions, ...others])
    expect(valueIn(rows, 'found')).toBe(50)
    expect(valueIn(rows, 'false')).toBe(50)
  })

  it('count each link by itself, and links that nobody states as false', () => {
    const rows = importRowsOf('set', [
      compared('supersedes', ['a', 'b', 'c'], ['a', 'x']),
      compared('superseded_by', [], []),
      // the file was not read
      compared('amends', ['d'], undefined),
      compared('amended_by', [], ['y', 'z']),
    ])
    expect(valueIn(rows, 'links')).toBe(25)
    expect(valueIn(rows, 'links_false')).toBe(75)
    expect(rows.find(({ name }) => name === 'import_set_links_false')?.ok).toBe(false)
  })

  it('count a judgment as wrong if it contains what it must not', () => {
    const wrong = { ...compared('judgment_not', 'x', 'x'), isRight: false }
    expect(valueIn(importRowsOf('set', [compared('judgment', 'a', 'a'), wrong]), 'judgment')).toBe(50)
  })
})

it('recall200 is the share of relevant documents among the first 200', () => {
  const found = Array.from({ length: 300 }, (_, n) => `d${n}`)
  const judged = new Map([
    ['d0', 1],
    ['d199', 3],
    ['d200', 2],
    ['elsewhere', 1],
    ['d1', 0],
  ])
  expect(recall200(found, judged)).toBe(0.5)
})
