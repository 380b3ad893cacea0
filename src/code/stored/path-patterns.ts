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
  return matcherOf(pattern)(path)
}

/** The same, for many paths. */
export function matcherOf(pattern: string): (path: string) => boolean {
  const named = pattern.replace(/\/+$/, '')
  if (!hasWildcards(named)) return (path) => path === named || path.startsWith(`${named}/`)
  const parts = partsOf(named)
  const marks: Marks = { now: new Uint8Array(parts.length + 1), next: new Uint8Array(parts.length + 1) }
  return (path) => matchesWildcards(parts, path, marks)
}

export function hasWildcards(pattern: string): boolean {
  return /[*?]/.test(pattern)
}

type Part = { type: 'text' | 'one' | 'many' | 'any' | 'folders'; text: string }

/** `**` followed by a slash also stands for no folder. */
function partsOf(pattern: string): Part[] {
  return [...pattern.matchAll(/\*\*\/?|\*|\?|[^*?]/gu)].map(([text]): Part => {
    if (text.startsWith('**')) return { type: text === '**' ? 'any' : 'folders', text }
    if (text === '*') return { type: 'many', text }
    return { type: text === '?' ? 'one' : 'text', text }
  })
}

/** 1 for each part that a match may have come to. */
interface Marks {
  now: Uint8Array
  next: Uint8Array
}

/**
 * Follows all ways to match at the same time: the time grows with pattern × path. A regular expression would take far
 * longer for paths that a repository makes up.
 */
function matchesWildcards(parts: readonly Part[], path: string, marks: Marks): boolean {
  let { now, next } = marks
  now.fill(0)
  now[0] = 1
  let [first, last] = [0, passEmpty(parts, now, 0, 0, true)]
  for (const character of path) {
    const isSlash = character === '/'
    // the pattern names a folder that holds the file
    if (isSlash && last === parts.length) return true
    next.fill(0, first, last + 2)
    let [low, high] = [parts.length + 1, -1]
    for (let at = first; at <= last; at++) {
      const part = parts[at]
      if (now[at] === 0 || part === undefined) continue
      const to = nextPart(part, at, character, isSlash)
      if (to < 0) continue
      next[to] = 1
      if (to < low) low = to
      if (to > high) high = to
    }
    if (high < 0) return false
    ;[now, next] = [next, now]
    first = low
    last = passEmpty(parts, now, low, high, isSlash)
  }
  return last === parts.length
}

/** Where a part leads with this character; -1: nowhere. */
function nextPart({ type, text }: Part, at: number, character: string, isSlash: boolean): number {
  if (type === 'text') return text === character ? at + 1 : -1
  if (type === 'any' || type === 'folders') return at
  if (isSlash) return -1
  return type === 'many' ? at : at + 1
}

/** Marks what follows parts that may stand for nothing. Returns the last part that is marked. */
function passEmpty(parts: readonly Part[], marks: Uint8Array, first: number, last: number, isStart: boolean): number {
  let end = last
  for (let at = first; at <= end; at++) {
    const type = parts[at]?.type
    if (marks[at] === 0 || !(type === 'many' || type === 'any' || (type === 'folders' && isStart))) continue
    if (at === end) {
      end++
      marks[end] = 1
    } else marks[at + 1] = 1
  }
  return end
}
