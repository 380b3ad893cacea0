/** Entry point of the thread that runs compare tasks (compare-worker.ts). */
import { answerInThread } from '../../ports/idle-thread.ts'
import { type CompareTask, compareTasks } from './compare-tasks.ts'

export interface TaskRequest {
  task: CompareTask
  argument: Parameters<(typeof compareTasks)[CompareTask]>[0]
}

answerInThread<TaskRequest>(({ task, argument }) => compareTasks[task](argument as never))
