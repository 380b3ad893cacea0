/** Gives what was read in a translated text the lines of its source. */

interface Placed {
  line: number
}

/** The parts of a parsed record that have a line. */
interface Parsed {
  status: Placed | undefined
  dates: Placed[]
  relations: Placed[]
  notes: Placed[]
}

/** `lines`: by line of the translation, from 0: the line of the source. */
export function atSourceLines<Adr extends Parsed>(adr: Adr, lines: readonly number[]): Adr {
  const moved = <One extends Placed>(one: One): One => ({ ...one, line: lines[one.line - 1] ?? 1 })
  return {
    ...adr,
    status: adr.status && moved(adr.status),
    dates: adr.dates.map(moved),
    relations: adr.relations.map(moved),
    notes: adr.notes.map(moved),
  }
}
