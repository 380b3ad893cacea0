/** Threads of this process that are content with little memory: V8 would give each as much as the process has. */
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

export interface ThreadMemory {
  /** MB for what is soon forgotten. The less, the more often it is looked through. */
  young: number
  /** MB for the rest; a thread that needs more ends with an error. Left out: as much as the process. */
  old?: number
}

/** What `npm start` gives to the process (package.json) goes before the limits of a thread. That of the process stands once it runs. */
const processLimit = '--max-semi-space-size=0'

/** `module`: a built file; Node 20 runs no TypeScript in a thread. */
export function beginThread(module: URL, { young, old }: ThreadMemory, workerData?: unknown): Worker {
  setFlagsFromString(processLimit)
  return new Worker(module, {
    workerData,
    resourceLimits: {
      maxYoungGenerationSizeMb: young,
      ...(old === undefined ? {} : { maxOldGenerationSizeMb: old }),
    },
  })
}
