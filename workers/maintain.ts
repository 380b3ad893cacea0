/** Wakes what is stranded, commits what was dated ahead, prunes. One is enough; several do no harm. */
import { type Kind, runAsProgram } from './runner.ts'

export const maintain: Kind = { name: 'maintain', web: false, works: ['maintain'] }

runAsProgram(import.meta.url, maintain)
