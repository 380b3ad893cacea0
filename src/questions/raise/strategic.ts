/** Asks whether superseding a strategic decision was intended (high_grade_supersession). */

import type { DecideContext } from '../../deciding/context.ts'
import type { Outcome } from '../../deciding/outcome.ts'
import type { StateAtHead } from '../../deciding/state-at-head.ts'
import { type RecordId, recordOfRow } from '../../ids.ts'
import { changedRow, type Envelope } from '../../records/record.ts'
import { isApplicable } from '../is-applicable.ts'
import type { Finding } from '../question.ts'
import { found } from './rules.ts'

/**
 * One finding for each strategic decision that gets its first successor in this outcome, unless the caller named it: who
 * names a decision to supersede means it.
 */
export async function replacedStrategic<Input>(
  { state, input }: Pick<DecideContext<Input>, 'state' | 'input'>,
  { created, changed }: Outcome,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { id, set } of changed) {
    if (!set.superseded_by || set.kind === 'question') continue
    const older = await state.record(recordOfRow(id))
    if (older?.significance !== 'strategic' || older.kind !== 'decision' || older.superseded_by !== null) continue
    // a proposal was never in force
    if (older.status !== 'accepted' || isNamedIn(input, older)) continue
    const newer =
      created.find((row) => row.record_id === set.superseded_by && row.feed !== 'none') ??
      (await acceptedIn(state, changed, set.superseded_by)) ??
      (await state.record(set.superseded_by))
    if (newer?.kind !== 'decision') continue
    // if the newer one is superseded as well, nobody could answer the question
    const after = changedRow(newer, ...changed.filter((one) => one.id === newer.id).map((one) => one.set))
    if (isApplicable(after, 'high_grade_supersession')) findings.push(findingOf(newer, older))
  }
  return findings
}

/** `supersedes` of a recorded decision, and `id` of decision.supersede. */
function isNamedIn(input: unknown, { record_id, external_id }: Envelope): boolean {
  const { id, supersedes } = input as { id?: unknown; supersedes?: unknown }
  const named = [id, ...(Array.isArray(supersedes) ? supersedes : [])]
  return named.includes(record_id) || (external_id !== null && named.includes(external_id))
}

/** A proposal accepted by this outcome. It becomes the current revision only afterwards, so state does not have it yet. */
async function acceptedIn(
  state: StateAtHead,
  changed: Outcome['changed'],
  id: RecordId,
): Promise<Envelope | undefined> {
  const accepted = changed.filter(({ set }) => set.feed === 'decisions').map((one) => one.id)
  return accepted.length === 0 ? undefined : (await state.revisions(id)).find((row) => accepted.includes(row.id))
}

type Newer = Pick<Envelope, 'record_id' | 'title' | 'significance' | 'audience'>

function findingOf(newer: Newer, older: Envelope): Finding {
  const about = { ...newer, kind: 'decision' } as const
  const asked = found(about, 'high_grade_supersession', 'clarification', newer.title, {
    mark: older.record_id,
    whole: false,
  })
  return {
    ...asked,
    claim: `“${newer.title}” replaces the strategic decision “${older.title}”. Is that meant?`,
    // everyone who sees the older one sees the newer one too
    audience: older.audience,
  }
}
