/**
 * npm run quality [-- --json] [-- --engine embedded|elasticsearch|threshold]: measures the rules of open questions, the
 * import, briefs, and the ranking and the scores of search over HTTP, on each engine that is available, and the threshold
 * in stores of 60 to 50,000 records. Exits with code 1 if a goal is missed. docs/benchmarks.md lists the rows.
 *
 * npm run quality -- pairs: measures the rules of open questions alone, on labelled claims (claims/rows.ts).
 * npm run quality -- claims [--mistakes]: judges the questions that nine folders of decision records raise.
 * npm run quality -- import: measures the import alone (import.ts).
 * npm run quality -- brief: measures briefs alone.
 * npm run quality -- code [FOLDER …] [--mistakes]: measures the parser of source files (code/measure.ts), and
 * without a folder the search of code on each engine (code/questions.ts).
 */
import { parseArgs } from 'node:util'
import { type Row, row, tableOf } from '../bench/row.ts'
import { missing as missingFolders } from '../import/facts.ts'
import { missing as missingEngine, runningUrl, startEngine } from '../support/start-engine.ts'
import { briefRows } from './brief.ts'
import { pairRows } from './claims/rows.ts'
import { measureCode } from './code/measure.ts'
import { questionRows } from './code/questions.ts'
import { missing as missingData, names } from './collections.ts'
import { folderQuestionRows } from './folder-questions.ts'
import { importRows } from './import.ts'
import { withService } from './measured-service.ts'
import { type Measured, measure } from './rows.ts'
import { measureThreshold } from './threshold.ts'

/** The greatest difference in nDCG between the two engines. */
const mostApart = 0.005

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean' }, engine: { type: 'string' }, mistakes: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [subject, ...folders] = positionals
  const showsMistakes = values.mistakes === true
  const subjects: Record<string, () => Row[] | Promise<Row[]>> = {
    pairs: pairRows,
    claims: () => folderQuestionRows(showsMistakes),
    import: importRows,
    brief: briefRows,
    code: () => codeRows(folders, showsMistakes),
  }
  const measureSubject = subject === undefined ? () => allRows(values.engine) : subjects[subject]
  if (measureSubject === undefined)
    throw new Error(`unknown: ${subject}. Try: npm run quality -- ${Object.keys(subjects).join(', -- ')} [FOLDER …]`)
  finish(await measureSubject(), values.json === true)
}

/** `engine`: only what runs on it. What needs no engine counts as embedded. */
async function allRows(engine: string | undefined): Promise<Row[]> {
  const rows: Row[] = []
  const wanted = (one: string) => engine === undefined || engine === one
  if (wanted('embedded')) {
    rows.push(...pairRows())
    if (missingFolders === undefined) rows.push(...(await folderQuestionRows(false)))
    else process.stderr.write(`questions about nine folders were not measured: ${missingFolders}\n`)
    rows.push(...(await importRows()), ...(await briefRows()))
  }
  if (missingData !== undefined) process.stderr.write(`search was not measured: ${missingData}\n`)
  else rows.push(...(await measureSearch(wanted)))
  return rows
}

function finish(rows: readonly Row[], isJson: boolean): void {
  process.stdout.write(isJson ? rows.map((one) => `${JSON.stringify(one)}\n`).join('') : `\n${tableOf(rows)}\n`)
  if (rows.some((one) => !one.ok)) process.exitCode = 1
}

async function codeRows(folders: readonly string[], showMistakes: boolean): Promise<Row[]> {
  const rows = await measureCode(folders, showMistakes)
  if (folders.length > 0) return rows
  const embedded = await questionRows('embedded', {}, showMistakes)
  const elasticsearch = await onElasticsearch((settings) => questionRows('elasticsearch', settings, showMistakes))
  const distance = embedded.flatMap((one, at) => {
    const other = elasticsearch?.[at]
    if (other === undefined || !one.name.endsWith('_mrr')) return []
    const name = one.name.replace('embedded', 'engines').replace('_mrr', '_apart')
    return [row(name, Math.abs(one.value - other.value), '', { at_most: 0.02 })]
  })
  return [...rows, ...embedded, ...(elasticsearch ?? []), ...distance]
}

async function measureSearch(wanted: (engine: string) => boolean): Promise<Row[]> {
  const embedded = wanted('embedded') ? await measured('embedded', {}) : undefined
  const threshold = wanted('threshold') ? await measureThreshold() : []
  const elasticsearch = wanted('elasticsearch')
    ? await onElasticsearch((settings) => measured('elasticsearch', settings))
    : undefined
  const distance = embedded && elasticsearch ? apart(embedded, elasticsearch) : []
  return [...(embedded?.rows ?? []), ...threshold, ...(elasticsearch?.rows ?? []), ...distance]
}

async function onElasticsearch<Result>(
  work: (settings: Record<string, string>) => Promise<Result>,
): Promise<Result | undefined> {
  const running = runningUrl('elasticsearch')
  const reason = running === undefined ? missingEngine('elasticsearch') : undefined
  if (reason !== undefined) return void process.stderr.write(`elasticsearch was skipped: ${reason}\n`)
  const engine = running === undefined ? await startEngine('elasticsearch') : undefined
  try {
    const url = running ?? (engine?.url as string)
    return await work({ ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: `quality-${process.pid}` })
  } finally {
    await engine?.remove()
  }
}

async function measured(engine: string, settings: Record<string, string>): Promise<Measured> {
  process.stderr.write(`measuring ${engine} …\n`)
  let result: Measured | undefined
  await withService(settings, async (service) => {
    result = await measure(engine, service)
  })
  return result as Measured
}

function apart(one: Measured, other: Measured): Row[] {
  return names.map((name) => {
    const distance = Math.abs((one.ndcg.get(name) as number) - (other.ndcg.get(name) as number))
    return row(`engines_${name}_apart`, distance, 'nDCG', { at_most: mostApart })
  })
}

await main()
