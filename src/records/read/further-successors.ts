/** Reads the successors that rows have no room for (records/succession.ts), limited to those that the actor sees. */
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Documents } from '../../ports/documents.ts'
import type { Successor } from '../record.ts'
import { type Succession, successions } from '../succession.ts'

/** Further successors of one record. One more than the nodes of a graph, so that it shows that there are more. */
const mostOfOne = 501
/** Further successors in one query. If there are more, each record is read by a query of its own. */
const mostAtOnce = 10_000

interface Store {
  documents: Documents
  workspace: WorkspaceId
  audiences: readonly Audience[]
}

/** The earliest first. A row may name some of them as well, if they became earlier. */
export async function furtherSuccessors(
  { documents, workspace, audiences }: Store,
  targets: readonly RecordId[],
): Promise<Map<RecordId, Successor[]>> {
  const find = (target: RecordId | { in: readonly RecordId[] }, limit: number) =>
    documents.find(successions, {
      where: { workspace, target, audience: { in: audiences } },
      sort: inOrder,
      limit,
      fields: ['target', 'successor', 'valid_from', 'reason'],
    })
  const found = new Map(targets.map((id): [RecordId, Successor[]] => [id, []]))
  const keep = (some: readonly Pick<Succession, 'target' | 'successor' | 'valid_from' | 'reason'>[]) => {
    for (const { target, successor: id, valid_from, reason } of some)
      found.get(target)?.push({ id, valid_from, reason })
  }
  const all = targets.length > 1 ? await find({ in: targets }, mostAtOnce) : []
  if (targets.length > 1 && all.length < mostAtOnce) keep(all)
  else for (const id of targets) keep(await find(id, mostOfOne))
  return found
}

/** As a row orders its successors: those that begin at the same instant in the order in which they took effect. */
const inOrder = [
  ['valid_from', 'asc'],
  ['entry', 'asc'],
  ['id', 'asc'],
] as const
