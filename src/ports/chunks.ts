/** Splits ids into parts, so that no query of an engine names too many. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let from = 0; from < all.length; from += size) found.push(all.slice(from, from + size))
  return found
}
