/** Carries out queued runs with the executors of the operator. Several share the work. */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'run')
