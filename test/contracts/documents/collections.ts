/** The collections of the documents' contract, with example documents. */
import type { AnyCollection, Collection } from '../../../src/ports/documents.ts'

export interface Thing {
  id: string
  owner: string
  key: string
  name: string | null
  rank: number
  weight: number | null
  flag: boolean
  detail: unknown
}

export const things: Collection<Thing> = {
  name: 'things',
  fields: {
    id: 'string',
    owner: 'string',
    key: 'string',
    name: 'string',
    rank: 'integer',
    weight: 'number',
    flag: 'boolean',
    detail: 'json',
  },
  unique: [['owner', 'key']],
  indexes: [
    ['owner', 'name', 'rank'],
    ['owner', 'rank', 'id'],
    ['owner', 'flag', 'weight'],
    ['name', 'id'],
  ],
}

export interface Line {
  id: string
  journal: string
  number: number
  text: string
}

export const lines: Collection<Line> = {
  name: 'lines',
  fields: { id: 'string', journal: 'string', number: 'integer', text: 'string' },
  unique: [['journal', 'number']],
  indexes: [],
}

/** Has interned fields and instants. */
export interface Visit {
  id: string
  room: string
  state: string | null
  guest: unknown
  since: string
  until: string | null
}

export const visits: Collection<Visit> = {
  name: 'visits',
  fields: {
    id: 'string',
    room: 'interned',
    state: 'interned',
    guest: 'internedJson',
    since: 'instant',
    until: 'instant',
  },
  unique: [['room', 'since']],
  indexes: [
    ['room', 'state', 'since'],
    ['state', 'room'],
    ['until', 'id'],
  ],
}

/** Has a field in a side table. */
export interface Parcel {
  id: string
  owner: string
  key: string
  state: string
  stops: number
  content: unknown
}

export const parcels: Collection<Parcel> = {
  name: 'parcels',
  fields: { id: 'string', owner: 'interned', key: 'string', state: 'interned', stops: 'integer', content: 'sideTable' },
  unique: [['owner', 'key']],
  indexes: [['owner', 'state', 'id']],
}

let made = 0

export function thing(given: Partial<Thing> = {}): Thing {
  const id = `thing-${String(++made).padStart(6, '0')}`
  return { id, owner: 'ann', key: id, name: null, rank: 0, weight: null, flag: false, detail: null, ...given }
}

export const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()

export function visit(given: Partial<Visit> = {}): Visit {
  const n = ++made
  return { id: `visit-${n}`, room: 'blue', state: null, guest: null, since: minute(n), until: null, ...given }
}

const content = { lines: ['one', 'two'], none: null, text: 'x\u0000y'.repeat(2_000) }

export function parcel(given: Partial<Parcel> = {}): Parcel {
  const id = `parcel-${String(++made).padStart(6, '0')}`
  return { id, owner: 'ann', key: id, state: 'sent', stops: 0, content, ...given }
}

/** All of them. */
export const declared: readonly AnyCollection[] = [things, lines, visits, parcels]
