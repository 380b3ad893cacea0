/** Finds settings that have no effect because their names are misspelt. */
import { environment } from './schema.ts'

const prefix = 'PRECEDENT_'
/** Read by the command and by the tests, not by the service. */
const ofOthers = ['PRECEDENT_URL', 'PRECEDENT_API_KEY']
const ofTests = 'PRECEDENT_TEST_'
/** Characters that may differ between a misspelt name and the one that was meant. */
const mostDifferent = 4

/** A sentence for each variable that begins with PRECEDENT_ and is no setting. It never shows the value. */
export function unknownSettings(variables: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(environment.shape)
  return Object.keys(variables)
    .filter((name) => name.startsWith(prefix) && !name.startsWith(ofTests))
    .filter((name) => !known.includes(name) && !ofOthers.includes(name))
    .map((name) => {
      const meant = nearest(name, known)
      return `${name} is not a setting and has no effect.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
    })
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const ranked = known.map((one) => ({ one, distance: distance(name, one) })).sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best !== undefined && best.distance <= mostDifferent ? best.one : undefined
}

/** Levenshtein distance: characters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
