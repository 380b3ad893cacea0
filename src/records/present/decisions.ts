/** Presents decisions for decision.search and decision.get (specification 2, Decision record; SEMANTICS 4 and 7). */

import { type RecordId, uuidPattern } from '../../ids.ts'
import { type Bodied, bodyOf, type DecisionBody, type DecisionMutable, type VoidLink } from '../body.ts'
import { contextText } from '../context-text.ts'
import { dateTold, isUndated } from '../imported.ts'
import type { PlannedTarget } from '../read/planned.ts'
import type { SeenLinks } from '../read/reader.ts'
import { mostLinks, type SeenRecord } from '../read/seen-record.ts'
import type { Envelope } from '../record.ts'
import { cut } from '../title.ts'
import { outcomeFields } from './outcomes.ts'
import { commonFields, type Presenting, plannedSuccessors, sourcesOf, sourcesOfAll } from './present.ts'
import { claimResponsesOf } from './superseded-claims.ts'

/** Revisions in `history`, and code points of the judgment of each. */
const revisionsTold = 10
const longestTold = 500
/** Code points of the judgment of a prior position in a search hit; decision.get shows the whole judgment. */
const longestPrior = 2000

type Bodies = Map<string, Bodied & { mutable: DecisionMutable }>

/** In the order of `records`. `scores` has record ids as keys. */
export async function decisionsOf(
  records: readonly SeenRecord[],
  presenting: Presenting,
  scores: ReadonlyMap<string, number> = new Map(),
) {
  const chains = await presenting.reader.behind(records.map((record) => record.record_id))
  const bodies = await bodiesOf(records, chains, presenting)
  const planned = await plannedFields(records, presenting)
  return Promise.all(
    records.map(async (record) => {
      const chain = chains.get(record.record_id) ?? []
      const score = scores.get(record.record_id)
      return {
        ...(await decisionOf(record, chain, bodies, longestPrior, presenting)),
        ...planned(record),
        ...(score === undefined ? {} : { score }),
      }
    }),
  )
}

/** One decision with its newest revisions and the whole judgments of its prior positions. */
export async function wholeDecisionOf(record: SeenRecord, presenting: Presenting) {
  const { reader } = presenting
  const chains = await reader.behind([record.record_id])
  const revisions = record.revisions.slice(0, mostLinks)
  const bodies = await bodiesOf([record], chains, presenting)
  for (const [id, row] of await reader.rows(
    revisions.map((row) => row.id),
    ['kind', 'body', 'mutable'],
  )) {
    bodies.set(id, row)
  }
  const chain = chains.get(record.record_id) ?? []
  const [links, planned] = await Promise.all([reader.links([record]), plannedFields([record], presenting)])
  return {
    ...(await decisionOf(record, chain, bodies, Number.POSITIVE_INFINITY, presenting)),
    ...planned(record),
    supersessions: (links[0] as SeenLinks).supersedes.flatMap((older) => supersessionBy(record, older)),
    revisions: revisions.map((row) => revisionOf(row, bodyIn(bodies, row), row.id === record.id)),
    void_links: await voidLinksOf(mutableIn(bodies, record), presenting),
    leading: leadingIn(bodies, record).outcome,
  }
}

/** Supersessions without effect, limited to those whose target the actor sees. */
async function voidLinksOf({ void_links = [] }: DecisionMutable, { reader }: Presenting): Promise<VoidLink[]> {
  if (void_links.length === 0) return []
  const targets = void_links.map(({ target }) => target)
  const known = await reader.externalIds(
    'decision',
    targets.filter((target) => !uuidPattern.test(target)),
  )
  const visible = await reader.records(targets.filter((target) => uuidPattern.test(target)) as RecordId[])
  return void_links.filter(({ target }) => known.has(target) || visible.has(target as RecordId))
}

async function bodiesOf(
  records: readonly SeenRecord[],
  chains: Map<string, SeenRecord[]>,
  { reader }: Presenting,
): Promise<Bodies> {
  const rows = records.flatMap((record) => [
    record,
    ...(chains.get(record.record_id) ?? []),
    ...(record.revisions.length > 1 ? record.revisions.slice(0, revisionsTold) : []),
  ])
  const shown = [...records, ...[...chains.values()].flat()]
  return reader.rows(
    [...rows.map((row) => row.id), ...shown.map(({ current }) => current)],
    ['kind', 'body', 'mutable'],
  )
}

async function decisionOf(
  record: SeenRecord,
  chain: readonly SeenRecord[],
  bodies: Bodies,
  longestJudgment: number,
  presenting: Presenting,
) {
  const body = bodyIn(bodies, record)
  const { successors, supersedes } = (await presenting.reader.links([record]))[0] as SeenLinks
  const [earliest] = successors
  return {
    id: record.record_id,
    title: record.title,
    ...textsOf(body),
    decided_at: record.valid_from,
    ...undatedField(record),
    ...present('category', record.category),
    ...present('significance', record.significance),
    ...(earliest?.record.kind === 'decision' ? { superseded_by_decision_id: earliest.record.record_id } : {}),
    sources: await sourcesOf(record, presenting),
    prior_positions: chain
      .filter((prior) => prior.kind === 'decision')
      .map((prior) => ({
        ...priorPosition(prior, record, chain, bodyIn(bodies, prior), longestJudgment),
        ...outcomeFields(leadingIn(bodies, prior)),
      })),
    ...(record.revisions.length > 1 ? { history: historyOf(record, bodies) } : {}),
    status: record.status,
    ...(record.status === 'rejected' && mutableIn(bodies, record).dismissed ? { dismissed: true as const } : {}),
    revision: record.revision,
    ...commonFields(record, presenting),
    ...present('external_id', record.external_id),
    decided_by: body.decided_by,
    ...(typeof body.context === 'object' && body.context !== null ? { context_parts: body.context } : {}),
    entities: record.entities,
    ...present('surface', record.surface),
    supersedes: supersedes.map((one) => one.record_id),
    successors: successors.map((one) => one.record.record_id),
    superseded_by: await sourcesOfAll(
      successors.map((one) => one.record),
      presenting,
    ),
    ...present('supersession_reason', body.supersession_reason),
    ...outcomeFields(leadingIn(bodies, record)),
    superseded_claims: await claimResponsesOf(mutableIn(bodies, record), presenting),
  }
}

/** The fields about supersessions to come, for each of `records`. */
async function plannedFields(records: readonly SeenRecord[], { reader }: Presenting) {
  const ids = records.map(({ record_id }) => record_id)
  const [targets, successors] = await Promise.all([reader.plannedTargets(ids), reader.plannedSuccessors(ids)])
  return ({ record_id }: SeenRecord) => ({
    ...plannedTargets(targets.get(record_id)),
    ...plannedSuccessors(successors.get(record_id)),
  })
}

/** Left out if there are none: few decisions have any. */
function plannedTargets(targets: readonly PlannedTarget[] = []) {
  if (targets.length === 0) return {}
  return {
    pending_supersedes: targets
      .slice(0, mostLinks)
      .map(({ record, at, reason }) => ({ id: record.record_id, ...present('at', at), ...present('reason', reason) })),
  }
}

/** When and why it superseded the older one. */
function supersessionBy({ record_id }: SeenRecord, older: SeenRecord) {
  const found = older.successors.find((one) => one.id === record_id)
  return found ? [{ id: older.record_id, at: found.valid_from, ...present('reason', found.reason) }] : []
}

function textsOf(body: DecisionBody) {
  return {
    judgment: body.judgment,
    context: contextText(body.context),
    ...present('rationale', body.rationale),
    ...present('consequences', body.consequences),
  }
}

/** The reason is that of its successor in this chain: other successors may be hidden from the actor. */
function priorPosition(
  prior: SeenRecord,
  record: SeenRecord,
  chain: readonly SeenRecord[],
  body: DecisionBody,
  longestJudgment: number,
) {
  const shown = new Set([record.record_id, ...chain.map((one) => one.record_id)])
  const reason = prior.successors.find((successor) => shown.has(successor.id))?.reason ?? null
  return {
    id: prior.record_id,
    title: prior.title,
    judgment: longestJudgment === Number.POSITIVE_INFINITY ? body.judgment : cut(body.judgment, longestJudgment),
    decided_at: prior.valid_from,
    ...undatedField(prior),
    ...present('supersession_reason', reason),
  }
}

function historyOf(record: SeenRecord, bodies: Bodies): string {
  return record.revisions
    .slice(0, revisionsTold)
    .map((row) => {
      const shown = row.id === record.id ? ', as shown' : ''
      const head = `Revision ${row.revision} (${row.status}, ${dateTold(row)}${shown}): ${row.title}`
      return `${head}\n${cut(bodyIn(bodies, row).judgment, longestTold)}`
    })
    .join('\n\n')
}

function revisionOf(row: Envelope, body: DecisionBody, shown: boolean) {
  return {
    revision: row.revision,
    title: row.title,
    ...textsOf(body),
    status: row.status,
    decided_at: row.valid_from,
    ...(row.valid_to === null ? {} : { valid_to: row.valid_to }),
    recorded_at: row.created_at,
    shown,
  }
}

function bodyIn(bodies: Bodies, row: Pick<Envelope, 'id'>): DecisionBody {
  return bodyOf(rowIn(bodies, row), 'decision')
}

function mutableIn(bodies: Bodies, row: Pick<Envelope, 'id'>): DecisionMutable {
  return rowIn(bodies, row).mutable
}

/** The fields of the current revision, which holds the leading outcome. */
function leadingIn(bodies: Bodies, { current }: Pick<SeenRecord, 'current'>): DecisionMutable {
  return rowIn(bodies, { id: current }).mutable
}

function rowIn(bodies: Bodies, { id }: Pick<Envelope, 'id'>) {
  const row = bodies.get(id)
  // rows are never deleted, so a row whose envelope was read has a body
  if (!row) throw new Error(`the body of row ${id} is missing`)
  return row
}

function undatedField(record: Envelope) {
  return isUndated(record) ? { undated: true as const } : {}
}

function present<K extends string>(key: K, value: string | null): Partial<Record<K, string>> {
  return value === null || value === '' ? {} : ({ [key]: value } as Record<K, string>)
}
