/** Puts decided records into the search index, and ends their receipts. Any number of these processes may run. */
import { type Kind, runAsProgram } from './runner.ts'

export const index: Kind = { name: 'index', web: false, works: ['index'] }

runAsProgram(import.meta.url, index)
