/** Patterns of paths: those that the operator includes and excludes, and those of a search (docs/repositories.md). */

/** Whether a file is indexed. */
export function isIndexed(
  path: string,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
) {
  const fits = (pattern: string) => matches(pattern, path)
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits)
}

/** A pattern stands for the files that it names, and for all files in the folders that it names. */
export function matches(pattern: string, path: string): boolean {
  const named = pattern.replace(/\/+$/, '')
  if (!/[*?]/.test(named)) return path === named || path.startsWith(`${named}/`)
  return matchesWildcards(partsOf(named), path)
}

type Part = { type: 'text' | 'one' | 'many' | 'any'; text: string }

/** `**` followed by a slash also stands for no folder. */
function partsOf(pattern: string): Part[] {
  return [...pattern.matchAll(/\*\*\/?|\*|\?|[^*?]/gu)].map(([text]): Part => {
    if (text.startsWith('**')) return { type: 'any', text }
    if (text === '*') return { type: 'many', text }
    return { type: text === '?' ? 'one' : 'text', text }
  })
}

/**
 * Follows all ways to match at the same time: the time grows with pattern × path. A regular expression would take far
 * longer for paths that a repository makes up.
 */
function matchesWildcards(parts: readonly Part[], path: string): boolean {
  let at = new Set<number>([0])
  const reach = (from: Set<number>, isStart: boolean) => {
    for (const index of from) {
      const part = parts[index]
      if (part?.type === 'many' || (part?.type === 'any' && (part.text === '**' || isStart))) from.add(index + 1)
    }
    return from
  }
  reach(at, true)
  for (const character of path) {
    // the pattern names a folder that holds the file
    if (character === '/' && at.has(parts.length)) return true
    const next = new Set<number>()
    for (const index of at) {
      const part = parts[index]
      if (part === undefined) continue
      if (part.type === 'any' || (part.type === 'many' && character !== '/')) next.add(index)
      else if (part.type === 'one' && character !== '/') next.add(index + 1)
      else if (part.type === 'text' && part.text === character) next.add(index + 1)
    }
    at = reach(next, character === '/')
    if (at.size === 0) return false
  }
  return at.has(parts.length)
}
