/** Compiles the guard and the programs of these tests from their sources, because Node 20 can't run TypeScript. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ts } from '@ts-morph/common'
import { temporaryFolder } from '../../support/clean-up.ts'
import { repository } from '../../support/repository.ts'

export interface Built {
  guard: URL
  /** An executor that does what its only argument says (program.ts). */
  program: string
  /** A process that stands for a run worker (worker.ts). */
  worker: string
}

export function build(): Built {
  const folder = temporaryFolder()
  const sources = [
    ...readdirSync(join(repository, 'src/adapters/process')).map((name) => `src/adapters/process/${name}`),
    ...['executor', 'lines', 'clock'].map((name) => `src/ports/${name}.ts`),
    'src/adapters/system-clock.ts',
    ...['program', 'worker'].map((name) => `test/adapters/process/${name}.ts`),
  ]
  for (const source of sources) compile(source, folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  return {
    guard: pathToFileURL(join(folder, 'src/adapters/process/guard.js')),
    program: join(folder, 'test/adapters/process/program.js'),
    worker: join(folder, 'test/adapters/process/worker.js'),
  }
}

function compile(source: string, folder: string): void {
  const { outputText } = ts.transpileModule(readFileSync(join(repository, source), 'utf8'), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
    },
  })
  const target = join(folder, source.replace(/ts$/, 'js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, outputText)
}
