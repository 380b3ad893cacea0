/**
 * Finds a record for the check of a write (SEMANTICS 2). The audiences are part of the query, so a hidden record is
 * never loaded: neither the answer nor its time tells it from a missing one.
 */
import { type Actor, audiencesOf } from '../../access/actor.ts'
import type { RecordKind } from '../../ids.ts'
import type { Documents } from '../../ports/documents.ts'
import { type Problem, problem } from '../../problem.ts'
import { type Envelope, envelopeFields, records } from '../record.ts'
import { currentOf } from '../revisions.ts'

/**
 * The current revision of a record that the actor sees. Throws the same not_found if the record is hidden, missing or of
 * another kind. `field`: the field of the input that names the record.
 */
export type Visible = <Kind extends RecordKind>(id: string, kind: Kind, field?: string) => Promise<EnvelopeOf<Kind>>
export type EnvelopeOf<Kind extends RecordKind> = Envelope & { kind: Kind }

type Reader = Pick<Actor, 'workspace' | 'user' | 'teams'>

export function visibleTo(documents: Documents, actor: Reader): Visible {
  return async (id, kind, field) => {
    const record = await findVisible(documents, actor, id, kind)
    if (!record) throw noSuch(kind, field)
    return record
  }
}

/** Revisions in one query. The current one is nearly always among the newest. */
const revisionsAtOnce = 20

export async function findVisible<Kind extends RecordKind>(
  documents: Documents,
  actor: Reader,
  id: string,
  kind: Kind,
): Promise<EnvelopeOf<Kind> | undefined> {
  const where = { workspace: actor.workspace, record_id: id.toLowerCase(), audience: { in: audiencesOf(actor) } }
  let [newest, before]: [Envelope | undefined, object] = [undefined, {}]
  for (;;) {
    const page = await documents.find(records, {
      where: { ...where, ...before },
      sort: [['accepted', 'desc']],
      limit: revisionsAtOnce,
      fields: envelopeFields,
    })
    newest ??= page[0]
    const current = currentOf(page.toReversed())
    if (current && current.feed !== 'none') return ofKind(current, kind)
    if (page.length < revisionsAtOnce) return ofKind(newest, kind)
    before = { accepted: { lt: page.at(-1)?.accepted } }
  }
}

/** Records of a kind with one external_id: one for each audience, of a decision one for each revision. */
const mostRows = 100

/** The audiences of the visible records of this kind with this external_id. */
export async function audiencesWithExternalId(
  documents: Documents,
  actor: Reader,
  kind: RecordKind,
  external_id: string,
): Promise<Pick<Envelope, 'audience'>[]> {
  const where = { workspace: actor.workspace, audience: { in: audiencesOf(actor) }, kind, external_id }
  return documents.find(records, { where, limit: mostRows, fields: ['audience'] })
}

/** The record, if it has this kind. */
export function ofKind<Kind extends RecordKind>(
  record: Envelope | undefined,
  kind: Kind,
): EnvelopeOf<Kind> | undefined {
  return record?.kind === kind ? (record as EnvelopeOf<Kind>) : undefined
}

/** The field `id` names what the whole call is about: over HTTP it is in the path. */
export function noSuch(kind: RecordKind, field = 'id'): Problem {
  if (field === 'id') return problem('not_found', `There is no ${kind} with this id.`)
  return problem('not_found', `There is no ${kind} with the id in ${field}.`, { details: { field } })
}
