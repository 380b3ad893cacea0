/** Serves HTTP: accepts writes and answers reads. Any number of these processes may run. */
import { type Kind, runAsProgram } from './runner.ts'

export const web: Kind = { name: 'web', web: true, works: [] }

runAsProgram(import.meta.url, web)
