/** Everything in one process: web, apply, index, maintain. What `npm start` runs. */
import { workerKinds } from '../src/service.ts'
import { type Kind, runAsProgram } from './runner.ts'

export const all: Kind = { name: 'all', web: true, works: workerKinds }

runAsProgram(import.meta.url, all)
