/** Runs everything in one process: web, apply, index and maintain. `npm start` runs this. */
import { workerKinds } from '../src/service.ts'
import { type Kind, runAsProgram } from './runner.ts'

export const all: Kind = { name: 'all', web: true, works: workerKinds }

runAsProgram(import.meta.url, all)
