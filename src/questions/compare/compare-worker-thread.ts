/** Entry point of the thread that runs compare tasks (compare-worker.ts). It has a low priority: requests come first. */
import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type CompareTask, compareTasks } from './compare-tasks.ts'

export interface TaskRequest {
  id: number
  task: CompareTask
  argument: Parameters<(typeof compareTasks)[CompareTask]>[0]
}

export interface TaskResponse {
  id: number
  result: ReturnType<(typeof compareTasks)[CompareTask]>
}

/** Nice value, of at most 19: the thread gets little time while other threads are busy, but it never starves. */
const nice = 10

const port = parentPort as MessagePort
assert(port, 'this file must run as a worker thread')
// on Linux setpriority(2) changes this thread alone; on other systems it would change the whole process
if (process.platform === 'linux') setPriority(nice)

port.on('message', ({ id, task, argument }: TaskRequest) => {
  port.postMessage({ id, result: compareTasks[task](argument as never) } satisfies TaskResponse)
})
