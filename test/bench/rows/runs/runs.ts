/** Measures runs of tasks: how many in a second, how soon milestones are seen, what subscribers and an idle worker cost. */
import { inFolder } from '../../processes.ts'
import { alternately, median, percentile, type Row, row } from '../../row.ts'
import { idleMegabytes } from '../footprint.ts'
import { delays } from './delay.ts'
import { operatorFile, trivial } from './operator.ts'
import { runsPerSecond } from './speed.ts'
import { queriesWatching } from './subscribers.ts'

const starts = 5
const subscribers = 1000

export async function* runs(): AsyncIterable<Row> {
  yield row('runs_succeeded', median(await runsPerSecond()), 'runs/s', { at_least: 10 })

  const ms = await delays()
  yield row('run_milestones_p95', percentile(ms, 95), 'ms', { at_most: 150 })
  yield row('run_milestones_median', median(ms), 'ms', null)

  const alone = await queriesWatching(1)
  const many = await queriesWatching(subscribers)
  yield row('run_queries_1000_subscribers', many, 'queries/s', { at_most: 1.2 }, alone)

  const [with_, without] = await inFolder((folder) => {
    const env = operatorFile(folder, trivial)
    return alternately(
      starts,
      () => idleMegabytes(env),
      () => idleMegabytes(),
    )
  })
  if (!Number.isNaN(with_)) yield row('run_worker_memory_idle', with_ - without, 'MB', { at_most: 10 })
}
