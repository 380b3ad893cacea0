export interface Carrier {
  name: string
  maxGrams: number
  islands: boolean
}
const carriers: Carrier[] = [
  { name: 'letterpost', maxGrams: 1000, islands: true },
  { name: 'swift', maxGrams: 20_000, islands: false },
  { name: 'freight', maxGrams: 500_000, islands: true },
]

/** The list runs from cheap to dear, so the first that can take the parcel is the one we want. */
export function choose(grams: number, toIsland: boolean): Carrier {
  const carrier = carriers.find(({ maxGrams, islands }) => grams <= maxGrams && (islands || !toIsland))
  if (!carrier) throw new Error('too heavy for any carrier')
  return carrier
}
