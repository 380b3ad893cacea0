/** Runs everything in one process: web, apply, index and maintain. `npm start` runs this. */
import { works } from '../src/service.ts'
import { type Kind, runAsProgram } from './runner.ts'

export const all: Kind = { name: 'all', web: true, works }

runAsProgram(import.meta.url, all)
