/** The known name that an unknown one was probably meant to be. */

/** Characters. No name of a field is as long; the cost of a comparison grows with the product of both lengths. */
const longestName = 40
/** Mistakes that are still taken for a slip, by the length of the known name. */
const mistakesIn = (name: string) => (name.length <= 4 ? 1 : 2)

/** undefined: no name is near. Case, `_` and `-` do not count, so `questionId` is near `question_id`. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const plain = plainOf(name)
  let best: { name: string; distance: number } | undefined
  for (const candidate of known) {
    const distance = distanceOf(plain, plainOf(candidate))
    // one letter can be a slip of any other
    if (distance > mistakesIn(candidate) || distance >= Math.max(1, candidate.length - 1)) continue
    if (best === undefined || distance < best.distance) best = { name: candidate, distance }
  }
  return best?.name
}

/** The only known name that has this one as a whole part between `_`, such as `outcome_status` for `status`. */
export function withPart(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined
  const part = `_${name.toLowerCase()}_`
  const found = known.filter((candidate) => `_${candidate}_`.includes(part))
  return found.length === 1 ? found[0] : undefined
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
