/**
 * Decides accepted receipts in the order of acceptance, and projects the results. Any number of these processes may
 * run.
 */
import { type Kind, runAsProgram } from './runner.ts'

export const apply: Kind = { name: 'apply', web: false, works: ['apply'] }

runAsProgram(import.meta.url, apply)
