/** Finds two sentences, one in each of two texts, of which only one can be true. */
import { contradictionOf, contradictionsOf } from './contradiction.ts'
import { common } from './reading/common.ts'
import type { Source } from './reading/source.ts'
import { statementsOf } from './reading/statement.ts'
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

/**
 * As opposed(), for texts of which nobody knows whether they are about the same company. So the two sentences must be opposed
 * without the rest of their texts, and name the same subject by at least two words: “duty logs of the crew” and “audit logs”
 * share only one.
 */
export function opposedAlone(older: Source, newer: Source): Opposed | undefined {
  const update = updates(older, newer)
  const found: Opposed[] = update ? [{ newer: update.changed, older: update.was }] : []
  found.push(...contradictionsOf(newer, older).map(({ a, b }) => ({ newer: a.text, older: b.text })))
  const isAlone = (one: Opposed) => opposed({ ...older, text: one.older }, { ...newer, text: one.newer }) !== undefined
  return found.find((one) => common(subjectOf(one.newer), subjectOf(one.older)) >= leastShared && isAlone(one))
}

const leastShared = 2

/** The words that tell what a sentence is about. */
function subjectOf(text: string): ReadonlySet<string> {
  const statements = statementsOf({ title: '', text })
  return new Set(statements.flatMap(({ words }) => [...words].flatMap(([word, weight]) => (weight === 1 ? word : []))))
}
