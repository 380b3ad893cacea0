/** Answers callers: accepts writes, serves reads. Any number may run beside each other. */
import { type Kind, runAsProgram } from './runner.ts'

export const web: Kind = { name: 'web', web: true, works: [] }

runAsProgram(import.meta.url, web)
