/** Shapes of supersessions, of decisions that are named by their numbers: the service and its baseline store the same. */

export interface Shape {
  name: string
  /** The number of the decision that the graph is read of. */
  root: number
}

const chain = 10_000
const successors = 2_000
const levels = 20
const width = 20

const hub = chain
const diamond = hub + 1 + successors

/** Decisions of all shapes together. */
export const shaped = diamond + levels * width

export const shapes: readonly Shape[] = [
  { name: 'chain_10k', root: chain / 2 },
  { name: '2k_successors', root: hub },
  { name: 'diamond_20_levels', root: diamond },
]

/** The numbers of the decisions that this one supersedes. */
export function olderThan(n: number): number[] {
  if (n < chain) return n === 0 ? [] : [n - 1]
  if (n < diamond) return n === hub ? [] : [hub]
  const level = Math.floor((n - diamond) / width)
  return level === 0 || n >= shaped ? [] : Array.from({ length: width }, (_, at) => diamond + (level - 1) * width + at)
}
