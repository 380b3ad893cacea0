/** A text with the words marked that were removed from it and added to it. */
import { diffWordsWithSpace } from 'diff'
import { useMemo } from 'preact/hooks'

interface Piece {
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
function piecesOf({ before = '', after = '' }: TextChange): Piece[] | undefined {
  if (before.length + after.length > mostCompared) return undefined
  return diffWordsWithSpace(before, after, { maxEditLength: mostWordsChanged })?.map(({ value, added, removed }) => ({
    text: value,
    change: added ? 'added' : removed ? 'removed' : 'none',
  }))
}

export function Difference({ change: { label, before, after } }: { change: TextChange }) {
  const pieces = useMemo(() => piecesOf({ label, before, after }), [label, before, after])
  return (
    <div class="card">
      <h3>{label}</h3>
      {pieces === undefined ? (
        <>
          <p class="hint">The two texts are too different, or too long, to mark what changed. Before:</p>
          <div class="text long">{before ?? ''}</div>
          <p class="hint">After:</p>
          <div class="text long">{after ?? ''}</div>
        </>
      ) : (
        <div class="text difference">
          {pieces.map(({ text, change }, at) => {
            if (change === 'none') return text
            return change === 'added' ? <ins key={at}>{text}</ins> : <del key={at}>{text}</del>
          })}
        </div>
      )}
    </div>
  )
}
