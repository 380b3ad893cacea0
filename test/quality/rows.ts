/** Measures search: its ranking, and whether its scores separate records that answer a question from others. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../bench/client.ts'
import { type Row, row } from '../bench/row.ts'
import { repository } from '../support/repository.ts'
import { plainBm25 } from './bm25.ts'
import { directory, type JudgedCollection, type Name, names, ndcg10, readCollection, recall200 } from './collections.ts'
import { languages } from './languages.ts'
import { ask, type Hit, type MeasuredService } from './measured-service.ts'
import { misspelt } from './misspelt.ts'

/** A hit with at least this score counts as an answer. It is the default threshold of decision search. */
const answers = 0.5
const foldersOfRecords = join(directory, '..', 'adr')

export interface Measured {
  rows: Row[]
  /** nDCG@10 by collection, to compare engines. */
  ndcg: Map<Name, number>
}

export async function measure(engine: string, service: MeasuredService): Promise<Measured> {
  const rows: Row[] = []
  const ndcg = new Map<Name, number>()
  const filled = new Map<Name, { target: Target; collection: JudgedCollection }>()
  let overBm25 = 0
  for (const name of names) {
    const collection = readCollection(name)
    const target = await service.fill(collection.documents)
    filled.set(name, { target, collection })
    const found = await means(collection, async (question) => (await ask(target, question, 200)).map(({ id }) => id))
    const plain = plainBm25(collection.documents)
    const baseline = await means(collection, async (question) => plain(question))
    ndcg.set(name, found.ndcg10)
    overBm25 += (found.ndcg10 - baseline.ndcg10) / names.length
    rows.push(
      row(`${engine}_${name}_ndcg10`, found.ndcg10, 'nDCG', { at_least: 1 }, baseline.ndcg10),
      row(`${engine}_${name}_recall200`, found.recall200, '', null, baseline.recall200),
    )
  }
  rows.push(row(`${engine}_mean_ndcg10_over_bm25`, overBm25, 'nDCG', { at_least: 0.03 }))
  rows.push(...(await misspelt(engine, filled)))
  rows.push(...(await scoresOfCollections(engine, filled)))
  if (existsSync(foldersOfRecords)) rows.push(...(await scoresOfRecords(engine, service)))
  rows.push(...(await languages(engine, service)))
  return { rows, ndcg }
}

async function means({ questions, judgments }: JudgedCollection, search: (question: string) => Promise<string[]>) {
  const sums = { ndcg10: 0, recall200: 0 }
  let count = 0
  for (const { id, text } of questions) {
    const judged = judgments.get(id)
    if (judged === undefined) continue
    const found = await search(text)
    sums.ndcg10 += ndcg10(found, judged)
    sums.recall200 += recall200(found, judged)
    count++
  }
  return { ndcg10: sums.ndcg10 / count, recall200: sums.recall200 / count }
}

/** cranfield is about aircraft, cacm about computing, cisi about libraries. The last two share questions. */
const isForeign = (of: Name, by: Name) => (of === 'cranfield') !== (by === 'cranfield')

type Filled = ReadonlyMap<Name, { target: Target; collection: JudgedCollection }>

async function scoresOfCollections(engine: string, filled: Filled): Promise<Row[]> {
  const refused = share()
  const kept = share()
  for (const [name, { target, collection }] of filled) {
    for (const [by, other] of filled) {
      if (!isForeign(name, by)) continue
      for (const { text } of other.collection.questions) refused.add(isNothing(await ask(target, text)))
    }
    for (const { id, text } of collection.questions) {
      const judged = collection.judgments.get(id)
      if (judged === undefined) continue
      for (const hit of await ask(target, text)) if ((judged.get(hit.id) ?? 0) > 0) kept.add(hit.score >= answers)
    }
  }
  return [
    row(`${engine}_collections_foreign_refused`, refused.percent(), '%', { at_least: 95 }),
    row(`${engine}_collections_relevant_kept`, kept.percent(), '%', { at_least: 90 }),
  ]
}

/** Uses questions written for the imported folders. The constants of search were chosen on one half of them. */
async function scoresOfRecords(engine: string, service: MeasuredService): Promise<Row[]> {
  const target = service.workspace()
  for (const name of readdirSync(foldersOfRecords)) {
    await service.importFolder(target, join(foldersOfRecords, name), name)
  }
  const halves = ['fitted', 'shown'].map((name) => ({ name, refused: share(), kept: share() }))
  const all = { refused: share(), kept: share() }
  const sharesOf = (n: number) => [halves[n % 2] as (typeof halves)[number], all]
  for (const [n, question] of lines('foreign.txt').entries()) {
    const isRefused = isNothing(await ask(target, question))
    for (const { refused } of sharesOf(n)) refused.add(isRefused)
  }
  for (const [n, line] of lines('answerable.txt').entries()) {
    const [record, question] = line.split('|') as [string, string]
    const [source, file] = record.split('/') as [string, string]
    const hit = (await ask(target, question)).find(
      ({ id }) => id.startsWith(`${source}/`) && nameOf(id).startsWith(file),
    )
    if (hit) for (const { kept } of sharesOf(n)) kept.add(hit.score >= answers)
  }
  return [
    row(`${engine}_records_foreign_refused`, all.refused.percent(), '%', { at_least: 95 }),
    row(`${engine}_records_relevant_kept`, all.kept.percent(), '%', { at_least: 90 }),
    // of some 50 questions each: too few for a goal. The stores of threshold.ts have the goals of questions not fitted on
    ...halves.flatMap(({ name, refused, kept }) => [
      row(`${engine}_records_foreign_refused_${name}`, refused.percent(), '%', null),
      row(`${engine}_records_relevant_kept_${name}`, kept.percent(), '%', null),
    ]),
  ]
}

function nameOf(externalId: string): string {
  return externalId.slice(externalId.lastIndexOf('/') + 1)
}

function lines(file: string): string[] {
  return readFileSync(join(repository, 'test/quality/adr', file), 'utf8')
    .trim()
    .split('\n')
}

function isNothing(found: readonly Hit[]): boolean {
  return (found[0]?.score ?? 0) < answers
}

function share() {
  let all = 0
  let those = 0
  return {
    add(is: boolean): void {
      all++
      if (is) those++
    },
    percent: () => (100 * those) / all,
  }
}
