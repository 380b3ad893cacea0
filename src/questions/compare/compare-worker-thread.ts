/** Entry point of the thread that compares (compare-worker.ts). */
import { answerInThread } from '../../ports/idle-thread.ts'
import { type Comparison, foundByRules } from './by-rules.ts'

answerInThread<Comparison>(foundByRules)
