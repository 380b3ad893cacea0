/** Mirrors and indexes the connected repositories. Several do no harm: each repository is indexed by one at a time. */
import { runAsProgram } from './runner.ts'

runAsProgram(import.meta.url, 'code')
