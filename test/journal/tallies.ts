/**
 * Two further collections, written by every operation of the world: a visit of each applied receipt, which is inserted
 * once, and a tally of each user, which is replaced. An outcome continues the tally that it finds at head.
 */
import { expect } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import type { Operation } from '../../src/operation.ts'
import type { Collection, Documents } from '../../src/ports/documents.ts'
import type { EntryDocument } from '../../src/records/entry-documents.ts'
import { type Projection, projectionOf } from '../../src/records/projections/projection.ts'

interface Tally extends EntryDocument {
  user: string
  visits: number
}
interface Visit extends EntryDocument {
  user: string
  place: number
}

declare module '../../src/records/entry-documents.ts' {
  interface EntryDocuments {
    tallies: Tally
    visits: Visit
  }
}

const common = { id: 'string', workspace: 'interned', user: 'string', entry: 'integer' } as const
export const tallies: Collection<Tally> = {
  name: 'tallies',
  fields: { ...common, visits: 'integer' },
  unique: [],
  indexes: [['workspace', 'user']],
}
export const visits: Collection<Visit> = {
  name: 'visits',
  fields: { ...common, place: 'integer' },
  unique: [],
  indexes: [],
}

export const tallyProjections: readonly Projection[] = [
  projectionOf({ name: 'tallies', collection: tallies, keeps: 'newest', lookups: { user: {} } }),
  projectionOf({ name: 'visits', collection: visits, keeps: 'once' }),
]

export function withTally(operation: Operation<never>): Operation<never> {
  return {
    ...operation,
    async decide(context) {
      const outcome = await operation.decide(context)
      const { state, actor, receipt } = context
      const [tally] = await state.documents('tallies', 'user', actor.user)
      const place = (tally?.visits ?? 0) + 1
      return {
        ...outcome,
        documents: {
          ...outcome.documents,
          tallies: [{ id: `tally of ${actor.user}`, user: actor.user, visits: place }],
          visits: [{ id: receipt.id, user: actor.user, place }],
        },
      }
    },
  }
}

/** Each applied receipt counts once, in the order of the journal, and each document is the one of its newest entry. */
export async function talliesEqualJournal(documents: Documents, journal: readonly Entry[]): Promise<void> {
  const all = { where: { id: { gt: '' } }, limit: 10_000 }
  const [counted, visited] = [await documents.find(tallies, all), await documents.find(visits, all)]
  const inOrder = journal.flatMap(({ documents: { visits = [] } }) => visits)
  const applied = journal.flatMap(({ receipts }) => receipts.filter(({ state }) => state === 'applied'))
  expect(inOrder.map(({ id }) => id)).toEqual(applied.map(({ receipt }) => receipt))
  expect(byId(visited)).toEqual(byId(inOrder))
  for (const { user, visits, entry } of counted) {
    const own = inOrder.filter((visit) => visit.user === user)
    expect(own.map(({ place }) => place)).toEqual(own.map((_, at) => at + 1))
    expect({ visits, entry }).toEqual({ visits: own.length, entry: own.at(-1)?.entry })
  }
  expect(counted.map(({ user }) => user).sort()).toEqual([...new Set(inOrder.map(({ user }) => user))].sort())
}

function byId<T extends { id: string }>(all: readonly T[]): T[] {
  return [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
}
