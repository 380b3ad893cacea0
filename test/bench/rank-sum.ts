/** Tests whether two sets of times differ, for any distribution (Mann-Whitney). */

/** The distance of the rank sum of `a` from its expected value, in standard deviations. More than 3: they differ. */
export function rankSumZ(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, ofA: true })), ...b.map((value) => ({ value, ofA: false }))]
  all.sort((one, other) => one.value - other.value)
  let sum = 0
  for (let from = 0; from < all.length; ) {
    let to = from
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1
    // equal values get the mean of their ranks
    const rank = (from + 1 + to) / 2
    for (let at = from; at < to; at++) if (all[at]?.ofA) sum += rank
    from = to
  }
  const [n, m] = [a.length, b.length]
  return (sum - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
}
