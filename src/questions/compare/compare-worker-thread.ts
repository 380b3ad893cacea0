/** Entry point of the thread that compares (compare-worker.ts). */
import { answerInThread } from '../../ports/idle-thread.ts'
import { type Comparison, compareTask } from './compare-tasks.ts'

answerInThread<Comparison>(compareTask)
