/** Measures the time from the line of an executor to the subscribers of its run, while many run at once. */
import { inFolder, withService } from '../../processes.ts'
import { makeTasks, readStream, startRuns } from './calls.ts'
import { chatty, operatorFile, runsAtOnce } from './operator.ts'

const milestones = 60
/** ms between two milestones of a run. */
const pause = 200

interface Seen {
  at: number
  ms: number
}

/** ms of each milestone that came while all runs were printing. One subscriber reads the event stream of each run. */
export function delays(): Promise<number[]> {
  return inFolder((folder) =>
    withService(
      async (service) => {
        const tasks = await makeTasks(service, runsAtOnce)
        await startRuns(service, tasks, 30)
        const seen = await Promise.all(
          tasks.map(async (task) => {
            const own: Seen[] = []
            await readStream(service, task, ({ data: { data } }) => {
              if (data) own.push({ at: data.at, ms: Date.now() - data.at })
            })
            return own
          }),
        )
        const from = Math.max(...seen.map((own) => (own[0] as Seen).at))
        const to = Math.min(...seen.map((own) => (own.at(-1) as Seen).at))
        return seen.flatMap((own) => own.filter(({ at }) => from <= at && at <= to).map(({ ms }) => ms))
      },
      { env: operatorFile(folder, chatty(milestones, pause)) },
    ),
  )
}
