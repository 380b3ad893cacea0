/**
 * Bundles the built programs of the service once for the run. Node takes a second of processor time to load the 800
 * modules of a service, and two with the clients of servers; of a bundle it takes half. Tests start hundreds. The code is
 * that of dist. FAULTS=usual and FAULTS=full start dist itself, as do the tests of the command.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { processKinds } from '../../config/processes.ts'
import { repository } from './repository.ts'
import { short } from './size.ts'

/** Threads and processes that these programs start. Their files must lie beside the programs, under these names. */
const startedByThem = {
  'compare-worker-thread': 'src/questions/compare/compare-worker-thread.js',
  guard: 'src/adapters/process/guard.js',
  'mask-thread': 'src/runs/worker/mask-thread.js',
  'child/program': 'src/adapters/code-parser/child/program.js',
  'writer-thread': 'src/adapters/sqlite/writer-thread.js',
}

/** Packages that load native code or read files of their own. */
const separate = /^(@photostructure\/sqlite|sqlite-vec|pino|msgpackr|web-tree-sitter)($|\/)/

export default async function setup(): Promise<(() => void) | undefined> {
  const dist = join(repository, 'dist')
  if (!short || !existsSync(dist)) return undefined
  const kinds = processKinds.map((kind) => [kind, `workers/${kind}.js`] as const)
  // in the repository, so that its packages are found
  const folder = mkdtempSync(join(dist, 'programs-'))
  const bundle = await rolldown({
    cwd: dist,
    input: { ...Object.fromEntries(kinds), ...startedByThem },
    external: separate,
    platform: 'node',
    logLevel: 'silent',
  })
  await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  // workers inherit it
  process.env.PRECEDENT_TEST_PROGRAMS = folder
  return () => {
    delete process.env.PRECEDENT_TEST_PROGRAMS
    rmSync(folder, { recursive: true })
  }
}
