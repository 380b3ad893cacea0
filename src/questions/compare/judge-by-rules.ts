/**
 * The one place where a pair of texts is judged by rules alone: without a model, the same texts always get the same
 * verdict. Another judge may be asked about pairs on which the rules find nothing.
 */
import { contradictionOf } from './contradiction.ts'
import { isRepeated } from './repeat.ts'

/** What is compared of a record. */
export interface Text {
  /** Empty if the record has no title of its own. */
  title: string
  text: string
}

export interface Verdict {
  label: 'contradiction' | 'update' | 'agree' | 'unrelated'
  /** The statements that were compared, each a verbatim part of its text. Always there for a contradiction. */
  spans?: { a: string; b: string }
}

export function judgeByRules(a: Text, b: Text): Verdict {
  const found = contradictionOf(a, b)
  if (found) return { label: 'contradiction', spans: { a: found.a.text, b: found.b.text } }
  return { label: isRepeated(a, b) ? 'agree' : 'unrelated' }
}
