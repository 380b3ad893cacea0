/** Counts the files of a repository while their rows are written. */
import type { CodeFile } from '../stored/file.ts'
import type { CodeRepository } from '../stored/repository.ts'

type Totals = Pick<CodeRepository, 'languages' | 'files' | 'symbols' | 'skipped'>

export interface Tally {
  add(file: CodeFile): void
  remove(file: CodeFile): void
  totals(): Totals
}

/** `before`: the totals of the rows that stay. */
export function tallyOf(before: Totals): Tally {
  const languages = new Map(Object.entries(before.languages))
  const skipped = new Map(Object.entries(before.skipped))
  let { files, symbols } = before

  function count(file: CodeFile, sign: 1 | -1): void {
    if (file.type !== 'file') return
    files += sign
    symbols += sign * file.symbols
    if (file.skipped !== null) change(skipped, file.skipped, sign)
    else if (file.language !== null) change(languages, file.language, sign * (file.size ?? 0))
  }

  return {
    add: (file) => count(file, 1),
    remove: (file) => count(file, -1),
    totals: () => ({ languages: Object.fromEntries(languages), files, symbols, skipped: Object.fromEntries(skipped) }),
  }
}

function change(counts: Map<string, number>, name: string, by: number): void {
  const now = (counts.get(name) ?? 0) + by
  if (now > 0) counts.set(name, now)
  else counts.delete(name)
}
