/** Splits ids into parts, so that no query of an engine names too many. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  const found: T[][] = []
  for (let from = 0; from < all.length; from += size) found.push(all.slice(from, from + size))
  return found
}

/** Splits a list into pieces of at most this size together. An item that is larger is a piece by itself. */
export function piecesBySize<T>(all: readonly T[], sizeOf: (item: T) => number, most: number): T[][] {
  const pieces: T[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const item of all) {
    size += sizeOf(item)
    if (size > most) {
      pieces.push([])
      size = sizeOf(item)
    }
    pieces.at(-1)?.push(item)
  }
  return pieces
}
