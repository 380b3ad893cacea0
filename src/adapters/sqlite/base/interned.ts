/**
 * Stores strings with few distinct values, such as workspaces and states, as numbers. This makes rows and index keys
 * three times shorter, and the cost of a write depends mostly on the number of pages it touches.
 */
import assert from 'node:assert/strict'
import { type Database, statement } from './database.ts'

export const internedTable =
  'CREATE TABLE IF NOT EXISTS documents_symbols (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)'

export type Definition = readonly [number: number, text: string]

export interface Interner {
  /** The number of a string to store. A new string gets a number, and waits to be defined. */
  numberOf(text: string): number
  /** The number of a string to search for. An unknown string gets a number below all others. */
  numberForSearch(text: string): number
  textOf(number: number): string
  /** New strings that are not durable yet. They must be stored in the transaction of the next write. */
  pendingDefinitions(): readonly Definition[]
  /** Call it when these are durable. */
  confirm(definitions: readonly Definition[]): void
}

/** The cache of strings; plain maps, for the reason given in instants.ts. Others are looked up in the file. */
const mostKept = 10_000
const none = -1

/** Only the process that holds the lock of the data directory may assign numbers. */
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
    numberForSearch: (text) => known(text) ?? none,
    textOf(number) {
      const kept = texts.get(number)
      if (kept !== undefined) return kept
      const row = read((db) => statement(db, 'SELECT text FROM documents_symbols WHERE number = ?').get(number))
      assert(row, `no interned string has the number ${number}`)
      keep(row[0] as string, number)
      return row[0] as string
    },
    pendingDefinitions: () =>
      waiting.size === 0 ? [] : [...waiting].map(([text, number]): Definition => [number, text]),
    confirm(definitions) {
      for (const [number, text] of definitions) {
        waiting.delete(text)
        keep(text, number)
      }
    },
  }
}
