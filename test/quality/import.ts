/**
 * npm run quality -- import: how much of what persons read in decision records the import reads, by the facts of
 * test/import. `folders`: the nine folders of other teams, with facts about every file. `trees`: small trees, each of
 * something that the import once misread, with facts about some files. Facts that are not stated are not counted.
 */
import { type Row, row } from '../bench/row.ts'
import { comparisonsIn, dialects } from '../import/dialects.ts'
import { type Comparison, comparisonsOf, factsOf, folders, missing, readFolder } from '../import/facts.ts'

export async function importRows(): Promise<Row[]> {
  const rows: Row[] = []
  if (missing !== undefined) process.stderr.write(`the import of nine folders was not measured: ${missing}\n`)
  else rows.push(...importRowsOf('folders', await all(folders, ofFolder)))
  return [...rows, ...importRowsOf('trees', await all(dialects, (name) => comparisonsIn(name)))]
}

async function ofFolder(name: string): Promise<Comparison[]> {
  const { understood } = await readFolder(name)
  return comparisonsOf(factsOf(name), understood)
}

async function all(names: readonly string[], compare: (name: string) => Promise<Comparison[]>): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const name of names) comparisons.push(...(await compare(name)))
  return comparisons
}

/** `set`: a part of the names of the rows. */
export function importRowsOf(set: string, comparisons: readonly Comparison[]): Row[] {
  const of = (...fields: string[]) => comparisons.filter(({ field }) => fields.includes(field))
  const percent = (name: string, those: number, of: number, goal: Row['goal']) => {
    return row(`import_${set}_${name}`, (100 * those) / of, '%', goal)
  }
  const right = (name: string, some: readonly Comparison[], least: number) => {
    return percent(name, some.filter(({ isRight }) => isRight).length, some.length, { at_least: least })
  }
  const files = of('decision')
  const read = files.filter((one) => one.read === true)
  const links = of('supersedes', 'superseded_by', 'amends', 'amended_by').map(({ stated, read }) => {
    return { stated: stated as string[], read: (read ?? []) as string[] }
  })
  const stated = links.flatMap((one) => one.stated.map((link) => one.read.includes(link)))
  const made = links.flatMap((one) => one.read.map((link) => one.stated.includes(link)))
  return [
    right(
      'found',
      files.filter((one) => one.stated === true),
      98,
    ),
    percent('false', read.filter((one) => one.stated === false).length, read.length, { at_most: 2 }),
    right('titles', of('title'), 98),
    right('status', of('status'), 98),
    right('dates', of('date'), 95),
    percent('links', stated.filter(Boolean).length, stated.length, { at_least: 90 }),
    percent('links_false', made.filter((is) => !is).length, made.length, { at_most: 0 }),
    // of the folders the facts state only whether there is one
    right('judgment', of('judgment', 'judgment_not'), 95),
  ]
}
