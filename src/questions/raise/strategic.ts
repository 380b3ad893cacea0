/** Asks whether superseding a strategic decision was intended (high_grade_supersession). */

import type { Outcome } from '../../deciding/outcome.ts'
import type { StateAtHead } from '../../deciding/state-at-head.ts'
import { type RecordId, recordOfRow } from '../../ids.ts'
import type { Envelope } from '../../records/record.ts'
import { priorityOf } from '../priority.ts'
import type { Finding } from '../question.ts'
import { subjectOf } from './rules.ts'

/** One finding for each strategic decision that gets its first successor in this outcome. */
export async function replacedStrategic(state: StateAtHead, { created, changed }: Outcome): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, set } of changed) {
    if (!set.superseded_by || set.kind === 'question') continue
    const older = await state.record(recordOfRow(id))
    if (older?.significance !== 'strategic' || older.kind !== 'decision' || older.superseded_by !== null) continue
    // a proposal was never in force
    if (older.status !== 'accepted') continue
    const newer =
      created.find((row) => row.record_id === set.superseded_by && row.feed !== 'none') ??
      (await acceptedIn(state, changed, set.superseded_by)) ??
      (await state.record(set.superseded_by))
    if (newer?.kind === 'decision') found.push(findingOf(newer, older))
  }
  return found
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

function findingOf(newer: Pick<Envelope, 'kind' | 'record_id' | 'title' | 'significance'>, older: Envelope): Finding {
  return {
    form: 'clarification',
    reason: 'high_grade_supersession',
    claim: `“${newer.title}” replaces the strategic decision “${older.title}”. Is that meant?`,
    // everyone who sees the older one sees the newer one too
    audience: older.audience,
    about: [{ record: newer.record_id, claim: newer.title, whole: false }],
    ...priorityOf('high_grade_supersession', { kind: 'decision', significance: newer.significance }),
    subject: subjectOf(newer),
    mark: older.record_id,
  }
}
