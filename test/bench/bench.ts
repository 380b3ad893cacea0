/**
 * npm run bench [-- --json] [-- --only NAME] [-- --million]: measures the figures of docs/benchmarks.md, each next to a
 * baseline in the same run. Exits with code 1 if a goal is missed.
 */
import { parseArgs } from 'node:util'
import { type Row, tableOf } from './row.ts'
import { accept } from './rows/accept.ts'
import { brief } from './rows/brief.ts'
import { code } from './rows/code.ts'
import { fairness } from './rows/fairness.ts'
import { footprint } from './rows/footprint.ts'
import { graph } from './rows/graph.ts'
import { imports } from './rows/imports.ts'
import { mcp } from './rows/mcp.ts'
import { million } from './rows/million.ts'
import { poll } from './rows/poll.ts'
import { runs } from './rows/runs/runs.ts'
import { scaled } from './rows/scaled/scaled.ts'
import { search } from './rows/search.ts'
import { tasks } from './rows/tasks.ts'
import { timing } from './rows/timing.ts'

type Group = () => AsyncIterable<Row>

const groups: Record<string, Group> = {
  accept,
  poll,
  fairness,
  imports,
  search,
  mcp,
  brief,
  graph,
  tasks,
  runs,
  code,
  footprint,
  scaled,
  timing,
}
/** Takes a long time and several GB of disk. */
const large: Record<string, Group> = { million }

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, million: { type: 'boolean' }, only: { type: 'string', multiple: true } },
  })
  const rows: Row[] = []
  for (const [name, group] of chosen(values)) {
    process.stderr.write(`measuring ${name} …\n`)
    for await (const measured of group()) {
      rows.push(measured)
      process.stderr.write(`  ${tableOf([measured]).split('\n')[1]}\n`)
      if (values.json) process.stdout.write(`${JSON.stringify(measured)}\n`)
    }
  }
  if (!values.json) process.stdout.write(`\n${tableOf(rows)}\n`)
  if (rows.some((one) => !one.ok)) process.exitCode = 1
}

function chosen({ only, million }: { only?: string[]; million?: boolean }): [string, Group][] {
  const all = { ...groups, ...large }
  const unknown = only?.find((name) => !(name in all))
  if (unknown !== undefined) throw new Error(`unknown name ${unknown}: use one of ${Object.keys(all).join(', ')}`)
  if (only) return Object.entries(all).filter(([name]) => only.includes(name))
  return Object.entries(million ? all : groups)
}

await main()
