/** Measures runs a second with an executor that does nothing: from the POST of the first run to the success of the last. */
import { inFolder, withService } from '../../processes.ts'
import { makeTasks, startRuns, untilSucceeded } from './calls.ts'
import { operatorFile, trivial } from './operator.ts'

const runs = 200
const rounds = 3
/** Runs before the measurement, so that the guard runs and V8 has compiled the hot code. */
const warmUp = 40

/** Runs a second, of each round. */
export function runsPerSecond(): Promise<number[]> {
  return inFolder((folder) =>
    withService(
      async (service) => {
        const first = await makeTasks(service, warmUp)
        await startRuns(service, first)
        await untilSucceeded(service, first)
        const rates: number[] = []
        for (let round = 0; round < rounds; round++) {
          const tasks = await makeTasks(service, runs)
          const began = performance.now()
          await startRuns(service, tasks)
          await untilSucceeded(service, tasks)
          rates.push((runs / (performance.now() - began)) * 1000)
        }
        return rates
      },
      { env: operatorFile(folder, trivial) },
    ),
  )
}
