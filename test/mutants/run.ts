/**
 * `npm run mutants [-- TEXT]`: breaks the code once for each mutant of list.ts, in a copy of the repository, and runs the
 * tests that should notice. Ends with 1 if a mutant survives. TEXT: only mutants whose rule or file contains it.
 */
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../support/repository.ts'
import { mutants } from './list.ts'
import type { Mutant } from './mutant.ts'

/** ms. A mutant that makes its tests hang is killed too. */
const longestRun = 10 * 60_000
const copied = [
  'config',
  'docs',
  'src',
  'test',
  'workers',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
]

const text = process.argv[2] ?? ''
const chosen = mutants.filter(({ rule, file }) => rule.includes(text) || file.includes(text))
const copy = await mkdtemp(join(tmpdir(), 'precedent-mutants-'))
process.exitCode = await run().finally(() => rm(copy, { recursive: true, force: true }))

async function run(): Promise<number> {
  for (const name of copied) await cp(join(repository, name), join(copy, name), { recursive: true })
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'))
  await symlink(join(repository, 'dist'), join(copy, 'dist'))
  const files = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))]
  if (!(await pass(files))) {
    console.error('The tests fail without a mutant. Mend them first.')
    return 1
  }
  const survivors: Mutant[] = []
  for (const [at, mutant] of chosen.entries()) {
    const survives = await withMutant(mutant, () => pass(mutant.killedBy))
    if (survives) survivors.push(mutant)
    console.log(`${at + 1}/${chosen.length} ${survives ? 'SURVIVED' : 'killed'}  ${mutant.rule} (${mutant.file})`)
  }
  console.log(`${chosen.length - survivors.length} killed, ${survivors.length} survived`)
  return survivors.length === 0 ? 0 : 1
}

async function withMutant<T>({ file, find, replace }: Mutant, work: () => Promise<T>): Promise<T> {
  const path = join(copy, file)
  const original = await readFile(path, 'utf8')
  await writeFile(
    path,
    original.replace(find, () => replace),
  )
  try {
    return await work()
  } finally {
    await writeFile(path, original)
  }
}

/** Whether all tests of these files pass. */
function pass(files: readonly string[]): Promise<boolean> {
  const vitest = join(repository, 'node_modules', '.bin', 'vitest')
  const child = spawn(vitest, ['run', '--project', 'embedded', '--bail', '1', ...files], {
    cwd: copy,
    stdio: 'ignore',
    timeout: longestRun,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code === 0))
  })
}
