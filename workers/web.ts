/** Serves HTTP: accepts writes and answers reads. Any number of these processes may run. */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'web')
