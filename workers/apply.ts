/** Decides what was accepted, in the order of acceptance, and projects it. Any number may run beside each other. */
import { type Kind, runAsProgram } from './runner.ts'

export const apply: Kind = { name: 'apply', web: false, works: ['apply'] }

runAsProgram(import.meta.url, apply)
