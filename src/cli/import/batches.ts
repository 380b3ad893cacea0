/** Divides decisions into bodies of POST /v1/decisions/batch. The same decisions always give the same batches. */

export interface Sendable {
  external_id: string
  input: unknown
  /** Size of `input` as JSON in UTF-8. */
  bytes: number
}

export interface Batch<T extends Sendable> {
  items: T[]
}

export interface Bounds {
  items: number
  bytes: number
}

const MiB = 1024 * 1024
/** Well under the 64 MiB that a body may have: a lost connection then costs little, and proxies often allow less. */
export const batchBounds: Bounds = { items: 1000, bytes: 8 * MiB - 1 }

/**
 * Divides decisions into waves of batches. A wave is sent once all batches of the previous one are answered. Each
 * revision of a decision is in a wave of its own, in the order of the lines: a batch refuses a second item with the same
 * external_id, and the order of acceptance decides which revision is current.
 */
export function wavesOf<T extends Sendable>(items: readonly T[], bounds = batchBounds): Batch<T>[][] {
  const waves: T[][] = []
  const seen = new Map<string, number>()
  for (const item of items) {
    const wave = seen.get(item.external_id) ?? 0
    seen.set(item.external_id, wave + 1)
    waves[wave] ??= []
    waves[wave].push(item)
  }
  return waves.map((wave) => cut(wave, bounds).map((some) => ({ items: some })))
}

/** As NDJSON. */
export function bodyOf({ items }: Batch<Sendable>): string {
  return items.map(({ input }) => `${JSON.stringify(input)}\n`).join('')
}

function cut<T extends Sendable>(items: readonly T[], bounds: Bounds): T[][] {
  const parts: T[][] = []
  let part: T[] = []
  let bytes = 0
  for (const item of items) {
    const size = item.bytes + 1
    if (part.length > 0 && (part.length >= bounds.items || bytes + size > bounds.bytes)) {
      parts.push(part)
      part = []
      bytes = 0
    }
    part.push(item)
    bytes += size
  }
  if (part.length > 0) parts.push(part)
  return parts
}
