/** Everything in one process: web, apply, index, maintain. What `npm start` runs. */
import { works } from '../src/service.ts'
import { type Kind, runAsProgram } from './runner.ts'

export const all: Kind = { name: 'all', web: true, works }

runAsProgram(import.meta.url, all)
