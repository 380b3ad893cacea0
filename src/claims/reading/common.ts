/** How many words both have. */
export function common(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let found = 0
  for (const one of some) if (others.has(one)) found++
  return found
}
