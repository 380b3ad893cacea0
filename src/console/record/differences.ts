/** What changed from one revision of a decision to the next. */
import type { TextChange } from '../parts/difference.tsx'
import type { Decision } from '../service/service.ts'

export type Revision = Decision['revisions'][number]

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
