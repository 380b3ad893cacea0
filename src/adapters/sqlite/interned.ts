/**
 * Interner: strings of which there are few, such as a workspace or a state, are kept as numbers. Rows and the keys of
 * indexes are a third as long by it, and what a write costs is above all how many pages it touches.
 */
import assert from 'node:assert/strict'
import { type Database, statement } from './database.ts'

export const internedTable =
  'CREATE TABLE IF NOT EXISTS documents_symbols (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)'

export type Definition = readonly [number: number, text: string]

export interface Interner {
  /** The number of a text that is stored; one that is new is given a number, and waits to be defined. */
  numberOf(text: string): number
  /** The number of a text that is looked for; less than every number where it has none. */
  soughtNumberOf(text: string): number
  textOf(number: number): string
  /** What is not known to be durable: goes before each write, in its transaction. */
  undefinedYet(): readonly Definition[]
  /** These are durable now. */
  defined(definitions: readonly Definition[]): void
}

/** Held in memory; what more there are is looked up in the file. */
const mostKept = 10_000
const none = -1

/** Only the process that holds the lock of the data directory gives new numbers. */
export function internerOf(read: <T>(work: (database: Database) => T) => T): Interner {
  const numbers = new Map<string, number>()
  const texts = new Map<number, string>()
  const waiting = new Map<string, number>()
  let newest: number | undefined

  function keep(text: string, number: number): number {
    if (numbers.size >= mostKept) {
      numbers.clear()
      texts.clear()
    }
    numbers.set(text, number)
    texts.set(number, text)
    return number
  }

  function known(text: string): number | undefined {
    const kept = numbers.get(text) ?? waiting.get(text)
    if (kept !== undefined) return kept
    const row = read((db) => statement(db, 'SELECT number FROM documents_symbols WHERE text = ?').get(text))
    return row && keep(text, row[0] as number)
  }

  function nextNumber(): number {
    newest ??=
      (read((db) => statement(db, 'SELECT max(number) FROM documents_symbols').get())?.[0] as number | null) ?? 0
    newest += 1
    return newest
  }

  return {
    numberOf(text) {
      const number = known(text)
      if (number !== undefined) return number
      const made = nextNumber()
      waiting.set(text, made)
      return made
    },
    soughtNumberOf: (text) => known(text) ?? none,
    textOf(number) {
      const kept = texts.get(number)
      if (kept !== undefined) return kept
      const row = read((db) => statement(db, 'SELECT text FROM documents_symbols WHERE number = ?').get(number))
      assert(row, `there is no symbol ${number}`)
      keep(row[0] as string, number)
      return row[0] as string
    },
    undefinedYet: () => (waiting.size === 0 ? [] : [...waiting].map(([text, number]): Definition => [number, text])),
    defined(definitions) {
      for (const [number, text] of definitions) {
        waiting.delete(text)
        keep(text, number)
      }
    },
  }
}
