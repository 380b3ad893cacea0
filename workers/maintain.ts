/**
 * Wakes workers for work that was missed, commits records dated in the future, and prunes. One process is enough;
 * several do no harm.
 */
import { type Kind, runAsProgram } from './runner.ts'

export const maintain: Kind = { name: 'maintain', web: false, works: ['maintain'] }

runAsProgram(import.meta.url, maintain)
