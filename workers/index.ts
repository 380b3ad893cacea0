/** Brings what was decided into the search index, and receipts to applied. Any number may run beside each other. */
import { type Kind, runAsProgram } from './runner.ts'

export const index: Kind = { name: 'index', web: false, works: ['index'] }

runAsProgram(import.meta.url, index)
