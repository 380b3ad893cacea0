/** The state that decide reads: the records at head, overlaid with the changes of the entry being built. */
import assert from 'node:assert/strict'
import type { Documents } from '../ports/documents.ts'
import type { Audience, RecordId, WorkspaceId } from '../records/ids.ts'
import { type QuestionLink, questionLinks } from '../records/question-links.ts'
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
import { type Link, type LinkState, links } from './entry.ts'
import { lookupCache, mostRows } from './lookup-cache.ts'

export interface StateAtHead {
  /** The current revision (revisions.ts). */
  record(id: RecordId): Promise<Envelope | undefined>
  /** All revisions, in the order of acceptance. */
  revisions(id: RecordId): Promise<Envelope[]>
  /** The row with text and body. */
  whole(rowId: string): Promise<PrecedentRecord | undefined>
  /** The current revisions with this external_id in these audiences. */
  withExternalId(audiences: readonly Audience[], externalId: string): Promise<Envelope[]>
  /** Rows with this content hash in exactly this audience. */
  withContent(audience: Audience, contentHash: string): Promise<Envelope[]>
  /** All questions about a record, including answered ones. */
  questionsOn(record: RecordId): Promise<RecordOf<'question'>[]>
  /** Waiting links to this target (an external_id or id). */
  linksTo(target: string): Promise<Link[]>
  /** Waiting links of a successor. */
  linksOf(successor: RecordId): Promise<Link[]>
  /** Records that it supersedes but that its row does not name (LinkState: taken). */
  takenBy(successor: RecordId): Promise<RecordId[]>
}

/** The row of an envelope, with text and body. */
export async function wholeOf(state: StateAtHead, { id }: Pick<Envelope, 'id'>): Promise<PrecedentRecord> {
  const whole = await state.whole(id)
  assert(whole, `row ${id} is missing: rows are never deleted`)
  return whole
}

/** What a batch will look up. It is read in a few queries, not one by one. */
export interface Lookups {
  externalIds?: { audiences: readonly Audience[]; externalId: string }[]
  contents?: { audience: Audience; contentHash: string }[]
  targets?: string[]
}

export interface OverlaidState extends StateAtHead {
  prefetch(lookups: readonly Lookups[]): Promise<void>
  /** Adds the changes of an outcome. The rows already have their sequences. */
  overlay(change: { created: PrecedentRecord[]; changed: { id: string; set: ChangedFields & { seq: number } }[] }): void
  overlayLinks(changed: readonly Link[]): void
}

const openStates: LinkState[] = ['target', 'dated', 'held']
const knownStates: LinkState[] = [...openStates, 'taken']

export function stateAtHead(documents: Documents, workspace: WorkspaceId): OverlaidState {
  const rows = new Map<string, Envelope>()
  const wholes = new Map<string, PrecedentRecord>()
  const linksById = new Map<string, Link>()
  const byRecord = lookupCache<Envelope>()
  const byExternal = lookupCache<Envelope>()
  const byContent = lookupCache<Envelope>()
  const byQuestionLink = lookupCache<Pick<QuestionLink, 'question'>>()
  const byTarget = lookupCache<Link>()
  const bySuccessor = lookupCache<Link>()

  /** The overlaid version of a stored row, if there is one. */
  function keep(row: Envelope): Envelope {
    const known = rows.get(row.id)
    if (known) return known
    rows.set(row.id, row)
    return row
  }
  function keepLink(link: Link): Link {
    const known = linksById.get(link.id)
    if (known) return known
    linksById.set(link.id, link)
    return link
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

  async function withExternalId(audiences: readonly Audience[], externalId: string): Promise<Envelope[]> {
    const found: Envelope[] = []
    for (const audience of audiences) {
      const key = `${audience}\n${externalId}`
      const hit = await byExternal.get(key, async () => (await find({ audience, external_id: externalId })).map(keep))
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

  async function linksBy(successor: RecordId): Promise<Link[]> {
    const where = { workspace, successor, state: { in: knownStates } }
    const load = async () => (await documents.find(links, { where, limit: mostRows })).map(keepLink)
    return (await bySuccessor.get(successor, load)).map((link) => linksById.get(link.id) ?? link)
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
    async withContent(audience, contentHash) {
      const key = `${audience}\n${contentHash}`
      return byContent.get(key, async () => (await find({ audience, content_hash: contentHash })).map(keep))
    },
    async linksTo(target) {
      const found = await byTarget.get(target, async () =>
        (await documents.find(links, { where: { workspace, target, state: { in: openStates } }, limit: mostRows })).map(
          keepLink,
        ),
      )
      return found.map((link) => linksById.get(link.id) ?? link).filter((link) => link.state === 'target')
    },
    async linksOf(successor) {
      return (await linksBy(successor)).filter(({ state }) => openStates.includes(state))
    },
    async takenBy(successor) {
      return (await linksBy(successor)).flatMap(({ state, target }) => (state === 'taken' ? [target as RecordId] : []))
    },
    async prefetch(all) {
      const wanted = new Map<string, { audience: Audience; externalId: string }>()
      for (const { audiences, externalId } of all.flatMap((one) => one.externalIds ?? []))
        for (const audience of audiences) wanted.set(`${audience}\n${externalId}`, { audience, externalId })
      await byExternal.fill(
        [...wanted.keys()],
        async () =>
          (
            await find({
              audience: { in: [...new Set([...wanted.values()].map((one) => one.audience))] },
              external_id: { in: [...new Set([...wanted.values()].map((one) => one.externalId))] },
            })
          ).map(keep),
        (row) => `${row.audience}\n${row.external_id}`,
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
      const targets = all.flatMap((one) => one.targets ?? [])
      await byTarget.fill(
        targets,
        async () =>
          (
            await documents.find(links, {
              where: { workspace, target: { in: [...new Set(targets)] }, state: { in: openStates } },
              limit: mostRows,
            })
          ).map(keepLink),
        (link) => link.target,
      )
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
        if (row.external_id !== null) byExternal.add(`${row.audience}\n${row.external_id}`, overlaid)
        if (row.kind === 'question') {
          for (const one of row.body.about) byQuestionLink.add(one.record, { question: row.record_id })
        }
      }
      for (const { id, set } of changed) {
        const row = rows.get(id)
        // all caches share this object, so each shows the change
        if (row) Object.assign(row, set)
      }
    },
    overlayLinks(changed) {
      for (const link of changed) {
        const known = linksById.get(link.id)
        if (known) Object.assign(known, link)
        else {
          linksById.set(link.id, link)
          byTarget.add(link.target, link)
          bySuccessor.add(link.successor, link)
        }
      }
    },
  }
}
