/**
 * npm run quality [-- --json] [-- --engine embedded|elasticsearch]: measures the ranking and the scores of search over
 * HTTP, on each engine that is available. Exits with code 1 if a goal is missed.
 */
import { parseArgs } from 'node:util'
import { type Row, row, tableOf } from '../bench/row.ts'
import { missing as missingEngine, runningUrl, startEngine } from '../support/start-engine.ts'
import { missing as missingData, names } from './collections.ts'
import { withService } from './measured-service.ts'
import { type Measured, measure } from './rows.ts'

/** The greatest difference in nDCG between the two engines. */
const mostApart = 0.02

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, engine: { type: 'string' } } })
  if (missingData !== undefined) return void process.stderr.write(`nothing was measured: ${missingData}\n`)
  const rows: Row[] = []
  const show = (measured: readonly Row[]) => {
    rows.push(...measured)
    for (const one of measured) if (values.json) process.stdout.write(`${JSON.stringify(one)}\n`)
  }
  const wanted = (engine: string) => values.engine === undefined || values.engine === engine
  const embedded = wanted('embedded') ? await measured('embedded', {}) : undefined
  show(embedded?.rows ?? [])
  const elasticsearch = wanted('elasticsearch') ? await onElasticsearch() : undefined
  show(elasticsearch?.rows ?? [])
  if (embedded && elasticsearch) show(apart(embedded, elasticsearch))
  if (!values.json) process.stdout.write(`\n${tableOf(rows)}\n`)
  if (rows.some((one) => !one.ok)) process.exitCode = 1
}

async function onElasticsearch(): Promise<Measured | undefined> {
  const running = runningUrl('elasticsearch')
  const reason = running === undefined ? missingEngine('elasticsearch') : undefined
  if (reason !== undefined) return void process.stderr.write(`elasticsearch was skipped: ${reason}\n`)
  const engine = running === undefined ? await startEngine('elasticsearch') : undefined
  try {
    const url = running ?? (engine?.url as string)
    return await measured('elasticsearch', { ELASTICSEARCH_URL: url, PRECEDENT_PREFIX: `quality-${process.pid}` })
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
