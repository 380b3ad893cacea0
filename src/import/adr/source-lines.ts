/** Gives what was read in a translated text the lines of its source. */
import type { ParsedAdr } from './parse.ts'

/** `lines`: by line of the translation, from 0: the line of the source. */
export function atSourceLines(adr: ParsedAdr, lines: readonly number[]): ParsedAdr {
  const moved = <One extends { line: number }>(one: One): One => ({ ...one, line: lines[one.line - 1] ?? 1 })
  return {
    ...adr,
    status: adr.status && moved(adr.status),
    dates: adr.dates.map(moved),
    relations: adr.relations.map(moved),
    notes: adr.notes.map(moved),
  }
}
