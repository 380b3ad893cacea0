/** Makes the row of a decision from its input. */

import type { DecideContext } from '../deciding/context.ts'
import { newRow } from '../deciding/new-row.ts'
import type { NewRow } from '../deciding/outcome.ts'
import type { RecordId } from '../ids.ts'
import type { DecisionBody } from '../records/body.ts'
import { exactHash } from '../records/content-hash.ts'
import { contextText } from '../records/context-text.ts'
import { type Text, textsIn } from '../secrets/texts.ts'
import { canonicalJson } from '../text/canonical.ts'
import type { DecisionInput } from './input.ts'

interface Identity extends Pick<NewRow, 'revision' | 'audience'> {
  id: RecordId
  /** Of the decision, if it has revisions already. */
  outcome_status?: NewRow['outcome_status']
}

export function decisionRow(
  context: DecideContext<DecisionInput>,
  { id, revision, audience, outcome_status = 'none' }: Identity,
): NewRow {
  const { input } = context
  const body: DecisionBody = {
    judgment: input.judgment,
    context: (input.context as DecisionBody['context'] | undefined) ?? null,
    rationale: input.rationale ?? null,
    consequences: input.consequences ?? null,
    decided_by: input.decided_by,
    supersession_reason: input.supersession_reason ?? null,
    ...(input.supersedes.length === 0 ? {} : { names: input.supersedes }),
  }
  return newRow(context, {
    record_id: id,
    kind: 'decision',
    revision,
    audience,
    outcome_status,
    title: input.title,
    text: decisionText(body),
    status: input.status,
    ...(input.decided_at === undefined ? {} : { valid_from: input.decided_at }),
    sources: input.sources,
    category: input.category ?? null,
    significance: input.significance ?? null,
    surface: input.surface ?? null,
    entities: input.entities,
    external_id: input.external_id ?? null,
    content_hash: contentHashOf(input),
    body,
    mutable: {},
  })
}

/** The text for search and for passages. The judgment comes first, because it answers most questions. */
function decisionText(body: DecisionBody): string {
  return [body.judgment, contextText(body.context), body.rationale, body.consequences]
    .filter((part) => part !== null && part !== '')
    .join('\n\n')
}

/** Equal hashes mean an unchanged decision: recording it again makes no revision. */
export function contentHashOf({
  visibility: _,
  idempotency_key: __,
  ...rest
}: DecisionInput & { idempotency_key?: string | undefined }): string {
  return exactHash(canonicalJson(rest))
}

/** All texts of an input with their places. */
export function textsOf(input: DecisionInput): Text[] {
  return textFields.flatMap((name) => textsIn(name, input[name]))
}

const textFields = [
  'title',
  'judgment',
  'context',
  'rationale',
  'consequences',
  'supersession_reason',
  'decided_by',
  'sources',
  'entities',
  'external_id',
  'supersedes',
] as const satisfies readonly (keyof DecisionInput)[]
