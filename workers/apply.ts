/**
 * Decides accepted receipts in the order of acceptance, and projects the results. Any number of these processes may
 * run.
 */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'apply')
