/**
 * Wakes workers for work that was missed, commits records dated in the future, and prunes. One process is enough;
 * several do no harm.
 */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'maintain')
