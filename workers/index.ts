/** Puts decided records into the search index, and ends their receipts. Any number of these processes may run. */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'index')
