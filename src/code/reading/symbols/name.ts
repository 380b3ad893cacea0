/** The name that is looked up, and how like it another name is. */

export interface AskedName {
  /** In lower case. */
  name: string
  /** As it was written. */
  written: string
  /** Names around it from outside to inside, in lower case. Empty: any. */
  containers: string[]
}

/** Reads `name`, `Container/name`, `Container.name`, `Container::name` and `Container#name`. */
export function askedName(text: string): AskedName {
  const parts = text.split(/::|[/.#]/).filter((part) => part.trim() !== '')
  const written = (parts.at(-1) ?? text).trim()
  return {
    written,
    name: written.toLowerCase(),
    containers: parts.slice(0, -1).map((part) => part.trim().toLowerCase()),
  }
}

/** Whether the last names of a container are the ones asked for. `container`: joined by `/`. */
export function isInside(container: string | null, wanted: readonly string[]): boolean {
  const around = container?.toLowerCase().split(/[/.]/) ?? []
  return wanted.every((name, at) => around[around.length - wanted.length + at] === name)
}

/** Of a name that holds the whole query, or has its initials, however long the rest is. */
const holds = 0.6
const sameInitials = 0.75

/** 0 to 1; 1: the same but for upper and lower case. */
export function likeness(asked: string, name: string): number {
  const [x, y] = [asked.toLowerCase(), name.toLowerCase()]
  if (x === y) return 1
  const longer = Math.max(x.length, y.length)
  const byEdits = 1 - edits(x, y) / longer
  const byPart = y.includes(x) ? holds + ((1 - holds) * x.length) / longer : 0
  const byInitials = x.length > 1 && initialsOf(name) === x ? sameInitials : 0
  const byWords = sharedWords(asked, name)
  return Math.min(0.99, Math.max(byEdits, byPart, byInitials, byWords))
}

function initialsOf(name: string): string {
  return (name.match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}|(?<![\p{L}\p{N}])\p{L}/gu) ?? [])
    .map((one) => one[0])
    .join('')
    .toLowerCase()
}

/** The share of words that both names have, in any order. */
function sharedWords(asked: string, name: string): number {
  const [x, y] = [wordsOf(asked), wordsOf(name)]
  const shared = [...x].filter((word) => y.has(word)).length
  return shared / Math.max(1, x.size, y.size)
}

function wordsOf(name: string): Set<string> {
  return new Set(
    (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{Lo}+/gu) ?? []).map((word) => word.toLowerCase()),
  )
}

/** Insertions, deletions, replacements, and exchanges of neighbours. */
function edits(x: string, y: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: y.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= x.length; i++) {
    const row = [i]
    for (let j = 1; j <= y.length; j++) {
      const replaced = (last?.[j - 1] as number) + (x[i - 1] === y[j - 1] ? 0 : 1)
      let least = Math.min(replaced, (last?.[j] as number) + 1, (row[j - 1] as number) + 1)
      const isExchanged = i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]
      if (isExchanged) least = Math.min(least, (before?.[j - 2] as number) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last?.[y.length] as number
}
