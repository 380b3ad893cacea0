/** The state that decide reads: the records at head, overlaid with the changes of the entry being built. */

import { mostFollowing } from '../deciding/facets.ts'
import type { DocumentLookup, StateAtHead } from '../deciding/state-at-head.ts'
import type { Audience, RecordId, RecordKind, WorkspaceId } from '../ids.ts'
import type { Documents } from '../ports/documents.ts'
import { recordsNamedBy } from '../records/body.ts'
import type { DocumentsByName } from '../records/entry-documents.ts'
import { type OutcomeKey, outcomeKeys } from '../records/projections/outcomes.ts'
import { type QuestionLink, questionLinks } from '../records/projections/question-links.ts'
import {
  type ChangedFields,
  type Envelope,
  envelopeFields,
  type PrecedentRecord,
  type RecordOf,
  recordFields,
  records,
} from '../records/record.ts'
import { currentOf } from '../records/revisions.ts'
import type { Collections } from './carried.ts'
import { documentsAtHead } from './carried.ts'
import { lookupCache, mostRows } from './lookup-cache.ts'

export interface OverlaidState extends StateAtHead {
  /** Adds the changes of an outcome. The rows already have their sequences. */
  overlay(change: { created: PrecedentRecord[]; changed: { id: string; set: ChangedFields & { seq: number } }[] }): void
  overlayDocuments(changed: DocumentsByName): void
}

export function stateAtHead(documents: Documents, workspace: WorkspaceId, collections: Collections): OverlaidState {
  const rows = new Map<string, Envelope>()
  const wholes = new Map<string, PrecedentRecord>()
  const byRecord = lookupCache<Envelope>()
  const byExternal = lookupCache<Envelope>()
  const byContent = lookupCache<Envelope>()
  const byQuestionLink = lookupCache<Pick<QuestionLink, 'question'>>()
  const byOutcome = lookupCache<OutcomePlace>()
  const others = documentsAtHead(documents, workspace, collections)

  /** The overlaid version of a stored row, if there is one. */
  function keep(row: Envelope): Envelope {
    const known = rows.get(row.id)
    if (known) return known
    rows.set(row.id, row)
    return row
  }

  async function find(where: Parameters<typeof documents.find<PrecedentRecord>>[1]['where']): Promise<Envelope[]> {
    return documents.find(records, { where: { workspace, ...where }, limit: mostRows, fields: envelopeFields })
  }

  async function revisions(id: RecordId): Promise<Envelope[]> {
    const found = await byRecord.get(id, async () => (await find({ record_id: id })).map(keep))
    return [...found].sort((a, b) => (a.accepted < b.accepted ? -1 : 1))
  }
  async function record(id: RecordId): Promise<Envelope | undefined> {
    return currentOf(await revisions(id))
  }

  async function withExternalId(
    kind: RecordKind,
    audiences: readonly Audience[],
    external_id: string,
  ): Promise<Envelope[]> {
    const found: Envelope[] = []
    for (const audience of audiences) {
      const wanted = { kind, audience, external_id }
      const hit = await byExternal.get(externalKey(wanted), async () => (await find(wanted)).map(keep))
      const current = currentOf([...hit].sort((a, b) => (a.accepted < b.accepted ? -1 : 1)))
      if (current) found.push(current)
    }
    return found
  }

  async function whole(rowId: string): Promise<PrecedentRecord | undefined> {
    const made = wholes.get(rowId)
    const stored = made ?? (await documents.get(records, rowId, recordFields))
    if (!stored || stored.workspace !== workspace) return undefined
    return Object.assign({ ...stored }, rows.get(rowId))
  }

  return {
    record,
    revisions,
    withExternalId,
    whole,
    async questionsOn(id) {
      const links = await byQuestionLink.get(id, () =>
        documents.find(questionLinks, { where: { workspace, record_id: id }, limit: mostRows, fields: ['question'] }),
      )
      const found: RecordOf<'question'>[] = []
      for (const question of new Set(links.map((one) => one.question))) {
        // loads the envelope first, so that `whole` includes the changes of this entry
        const row = (await record(question)) && (await whole(question))
        if (row?.kind === 'question') found.push(row)
      }
      return found
    },
    async outcomesOf({ record_id: decision, audience }) {
      const places = await byOutcome.get(decision, () =>
        documents.find(outcomeKeys, {
          where: { workspace, decision, audience },
          sort: [
            ['observed_at', 'desc'],
            ['accepted', 'desc'],
          ],
          limit: mostFollowing,
          fields: ['id', 'observed_at', 'accepted'],
        }),
      )
      const found: RecordOf<'outcome'>[] = []
      for (const { id } of places.sort(lastFirst).slice(0, mostFollowing)) {
        // loads the envelope first, so that `whole` includes the changes of this entry
        const row = (await record(id as RecordId)) && (await whole(id))
        if (row?.kind === 'outcome') found.push(row)
      }
      return found
    },
    async withContent(audience, contentHash) {
      const key = `${audience}\n${contentHash}`
      return byContent.get(key, async () => (await find({ audience, content_hash: contentHash })).map(keep))
    },
    async documents(name, field, value) {
      // the projection of this name holds documents of its type
      return (await others.find({ name, field, value } as DocumentLookup)) as never
    },
    async prefetch(all) {
      const wanted = new Map<string, ExternalId>()
      for (const { kind, audiences, externalId } of all.flatMap((one) => one.externalIds ?? []))
        for (const audience of audiences) {
          const one = { kind, audience, external_id: externalId }
          wanted.set(externalKey(one), one)
        }
      await byExternal.fill(
        [...wanted.keys()],
        async () =>
          (
            await find({
              audience: { in: [...new Set([...wanted.values()].map((one) => one.audience))] },
              kind: { in: [...new Set([...wanted.values()].map((one) => one.kind))] },
              external_id: { in: [...new Set([...wanted.values()].map((one) => one.external_id))] },
            })
          ).map(keep),
        externalKey,
      )
      const contents = all.flatMap((one) => one.contents ?? [])
      await byContent.fill(
        contents.map((one) => `${one.audience}\n${one.contentHash}`),
        async () =>
          (
            await find({
              audience: { in: [...new Set(contents.map((one) => one.audience))] },
              content_hash: { in: [...new Set(contents.map((one) => one.contentHash))] },
            })
          ).map(keep),
        (row) => `${row.audience}\n${row.content_hash}`,
      )
      await others.prefetch(all.flatMap((one) => one.documents ?? []))
    },
    overlay({ created, changed }) {
      for (const row of created) {
        // a copy: the entry keeps the row as it was created, and lists later changes separately
        const overlaid: Envelope = { ...row }
        rows.set(row.id, overlaid)
        wholes.set(row.id, row)
        // revision 1 of a new record: the store has no other revisions
        byRecord.add(row.record_id, overlaid, row.revision === 1)
        byContent.add(`${row.audience}\n${row.content_hash}`, overlaid)
        if (row.external_id !== null) byExternal.add(externalKey(row), overlaid)
        if (row.kind === 'question') {
          for (const one of recordsNamedBy(row.body)) byQuestionLink.add(one, { question: row.record_id })
        }
        if (row.kind === 'outcome') {
          byOutcome.add(row.body.decision, { id: row.id, observed_at: row.valid_from, accepted: row.accepted })
        }
      }
      for (const { id, set } of changed) {
        const row = rows.get(id)
        // all caches share this object, so each shows the change
        if (row) Object.assign(row, set)
      }
    },
    overlayDocuments: (changed) => others.overlay(changed),
  }
}

type OutcomePlace = Pick<OutcomeKey, 'id' | 'observed_at' | 'accepted'>

function lastFirst(a: OutcomePlace, b: OutcomePlace): number {
  return `${a.observed_at} ${a.accepted}` < `${b.observed_at} ${b.accepted}` ? 1 : -1
}

type ExternalId = Pick<Envelope, 'kind' | 'audience' | 'external_id'>

/** An external_id is unique only among the records of one kind and audience. */
function externalKey({ kind, audience, external_id }: ExternalId): string {
  return `${kind}\n${audience}\n${external_id}`
}
