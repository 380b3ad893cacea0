/** Finds two sentences, one in each of two texts, of which only one can be true. */
import { contradictionOf } from './contradiction.ts'
import type { Source } from './reading/source.ts'
import { updates } from './update.ts'

/** A sentence of each, verbatim. */
export interface Opposed {
  newer: string
  older: string
}

/** A newer sentence that says what changed, or two that contradict each other. The caller knows which text is newer. */
export function opposed(older: Source, newer: Source): Opposed | undefined {
  const update = updates(older, newer)
  if (update) return { newer: update.changed, older: update.was }
  const found = contradictionOf(newer, older)
  return found && { newer: found.a.text, older: found.b.text }
}
