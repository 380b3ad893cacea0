/**
 * Places in the feed of changes, a cursor for each day on which it was read. The feed begins with the oldest change and
 * goes forward only: to show the last days, it is read from the place before them.
 */
import type { Notes } from '../service/key.ts'

interface Place {
  /** When the last change before the cursor was made. */
  at: string
  cursor: string
}

export interface Places {
  /** undefined: no place is known that early, so the feed must be read from its beginning. */
  before(day: string): string | undefined
  add(place: Place): void
  /** The cursors no longer hold. */
  clear(): void
}

const name = 'places of changes'
/** Each has a few hundred bytes, and the browser keeps a few megabytes of one site. */
const mostPlaces = 100
/** ms. The clocks of the machines that decide on writes may differ by this much. */
const clockDifference = 3_600_000

export function placesIn(notes: Notes): Places {
  const all = (): Place[] => JSON.parse(notes.read(name) ?? '[]')
  return {
    before(day) {
      const latest = new Date(Date.parse(day) - clockDifference).toISOString()
      return all().findLast(({ at }) => at < latest)?.cursor
    },
    add(place) {
      const others = all().filter(({ at }) => at.slice(0, 10) !== place.at.slice(0, 10))
      const sorted = [...others, place].sort((a, b) => (a.at < b.at ? -1 : 1))
      notes.write(name, JSON.stringify(sorted.slice(-mostPlaces)))
    },
    clear: () => notes.write(name, '[]'),
  }
}
