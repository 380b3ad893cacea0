/** What changed from one revision of a decision to the next. */
import { diffWordsWithSpace } from 'diff'
import type { Decision } from '../service/service.ts'

export type Revision = Decision['revisions'][number]

export interface Piece {
  text: string
  change: 'none' | 'added' | 'removed'
}

export interface TextChange {
  label: string
  /** undefined: there was none. */
  before: string | undefined
  after: string | undefined
}

/** UTF-16 units of both texts together, and words that differ: longer texts are shown side by side. */
const mostCompared = 60_000
const mostWordsChanged = 2_000

/** undefined: the texts are too long, or differ too much, to compare them by word. */
export function piecesOf({ before = '', after = '' }: TextChange): Piece[] | undefined {
  if (before.length + after.length > mostCompared) return undefined
  return diffWordsWithSpace(before, after, { maxEditLength: mostWordsChanged })?.map(({ value, added, removed }) => ({
    text: value,
    change: added ? 'added' : removed ? 'removed' : 'none',
  }))
}

const texts = [
  ['Title', 'title'],
  ['Judgment', 'judgment'],
  ['Context', 'context'],
  ['Rationale', 'rationale'],
  ['Consequences', 'consequences'],
] as const

export function changedTexts(before: Revision, after: Revision): TextChange[] {
  return texts.flatMap(([label, field]) => {
    const change = { label, before: before[field], after: after[field] }
    return (change.before ?? '') === (change.after ?? '') ? [] : [change]
  })
}
