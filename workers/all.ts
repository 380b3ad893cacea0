/** Runs everything in one process: web, apply, index, run, code and maintain. `npm start` runs this. */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'all')
