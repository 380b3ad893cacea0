/**
 * Finds the test files for `npm run test:fast`. A new file is fast unless it, or a module that it imports, imports
 * something slow.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Importing an engine or the whole service makes a file slow. */
const slowModules = ['test/support/engines.ts', 'src/service.ts'].map((file) => join(root, file))
/** Starting a process or testing many random inputs makes a file slow. */
const slowPackages = /from '(node:child_process|fast-check)'/
/** These use large inputs. */
const slowFolders = ['test/attacks/', 'test/quality/']

export function fastFiles(): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(root, 'test', file))
    .filter((file) => ![...modulesOf(file)].some(isSlow))
    .map((file) => relative(root, file))
    .filter((file) => !slowFolders.some((folder) => file.startsWith(folder)))
}

function isSlow(file: string): boolean {
  return slowModules.includes(file) || slowPackages.test(readFileSync(file, 'utf8'))
}

/** The file and the modules of the repository that it imports, not only as types. */
function modulesOf(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  const imports = /^(?:import|export)\s+(?!type\s)(?:[^'"]*?\sfrom\s+)?'(\.[^']+\.ts)'/gms
  for (const [, path] of readFileSync(file, 'utf8').matchAll(imports)) {
    modulesOf(resolve(dirname(file), path as string), known)
  }
  return known
}
