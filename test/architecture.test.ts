import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/**
 * From outside to inside: a layer may import those after it and itself, never one before it. Each file belongs to the
 * layer with the longest matching path.
 */
const layers: readonly (readonly [name: string, places: readonly string[]])[] = [
  ['console', ['src/console']],
  ['pages of the console', ['src/console/pages']],
  [
    'parts of one page',
    ['home', 'import', 'receipt', 'record', 'search', 'task'].map((folder) => `src/console/${folder}`),
  ],
  ['thread of the import', ['src/console/import-thread']],
  ['parts of pages', ['src/console/parts']],
  ['calls of the console', ['src/console/service']],
  ['processes', ['workers']],
  ['cli', ['src/cli']],
  ['doctor', ['src/doctor']],
  ['service', ['src/service.ts', 'src/work.ts', 'src/maintain.ts', 'src/repeating.ts', 'src/log']],
  ['readiness', ['src/readiness.ts']],
  ['http', ['src/http']],
  ['mcp', ['src/mcp']],
  ['http base', ['src/http/base']],
  ['metrics', ['src/metrics']],
  ['backup', ['src/backup']],
  ['engines', ['src/engines.ts', 'src/engines']],
  ['tables', ['src/operations.ts', 'src/collections.ts', 'src/projections.ts', 'src/run-query.ts']],
  ['import', ['src/import']],
  ['memories, decisions, tasks and runs', ['src/memories', 'src/decisions', 'src/tasks', 'src/runs']],
  ['code', ['src/code']],
  ['context', ['src/context']],
  ['answers to questions', ['src/questions/answer']],
  ['comparing', ['src/questions/compare']],
  ['gathering old proposals', ['src/questions/old-proposals']],
  ['raising questions', ['src/questions/raise']],
  ['questions', ['src/questions']],
  ['maintenance', ['src/journal/maintenance']],
  ['indexing', ['src/indexing']],
  ['embedding', ['src/embedding']],
  ['journal', ['src/journal']],
  ['receipts', ['src/receipts']],
  ['operations', ['src/operation.ts']],
  ['stored code', ['src/code/stored']],
  ['deciding', ['src/deciding']],
  ['claims', ['src/claims']],
  ['presenting', ['src/records/present']],
  ['reading', ['src/records/read']],
  ['projections', ['src/records/projections']],
  ['records', ['src/records']],
  ['receipt', ['src/receipt.ts']],
  ['config', ['config']],
  ['access', ['src/access']],
  ['validation', ['src/validation']],
  ['secrets', ['src/secrets']],
  ['adapters', ['src/adapters']],
  ['text', ['src/text']],
  ['ports', ['src/ports']],
  ['words', ['src/ids.ts', 'src/problem.ts', 'src/version.ts']],
]

/** Who may know which engine is in use. */
const composition = ['src/engines.ts', 'src/engines', 'src/doctor']
/** An adapter, but no engine. */
const clock = 'src/adapters/system-clock.ts'

/** Words for a record that texts and pages share. It imports nothing but such words. */
const wordsOfStanding = 'src/records/standing.ts'

interface Import {
  from: string
  to: string
}

const imports = ['src', 'workers', 'config'].flatMap(filesIn).flatMap(importsOf)

describe('dependencies point one way', () => {
  it('an inner layer never imports an outer one, not even its types', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [inner, outer] = [layerOf(from), layerOf(to)]
      return inner !== undefined && outer !== undefined && outer < inner
    })
    expect(wrong).toEqual([])
  })

  it('folders never import each other in a circle', () => {
    expect(circlesOf(imports.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) })))).toEqual([])
  })

  it('files never import each other in a circle', () => {
    expect(circlesOf(imports)).toEqual([])
  })

  it('only the composition root knows the adapters', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        to.startsWith('src/adapters/') &&
        to !== clock &&
        !from.startsWith('src/adapters/') &&
        !composition.some((place) => from === place || from.startsWith(`${place}/`)),
    )
    expect(wrong).toEqual([])
  })

  it('the console takes types only from the rest of the service, which does not run in a browser', () => {
    const wrong = filesIn('src/console').flatMap((file) => {
      const values = importsIn(file, /^import\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gms)
      return values.filter(({ to }) => !to.startsWith('src/console/') && to !== wordsOfStanding)
    })
    expect(wrong).toEqual([])
  })

  it('only config/ reads the environment', () => {
    const readers = ['src', 'workers', 'config']
      .flatMap(filesIn)
      .filter((file) => /process\.env\b/.test(readFileSync(join(root, file), 'utf8')))
    expect(readers.filter((file) => !file.startsWith('config/'))).toEqual([])
  })

  it('every skipped test gives a reason', () => {
    // skipIf() of test/support/skip.ts takes one
    const silent = filesIn('test').filter((file) =>
      /(?<!\.\.)\.(skipIf|runIf|skip|todo)\(|\bskip\(\)/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(silent).toEqual([])
  })

  it('looks at every file', () => {
    const unknown = filesIn('src').filter((file) => layerOf(file) === undefined)
    expect(unknown).toEqual([])
    expect(imports.length).toBeGreaterThan(100)
  })
})

function layerOf(file: string): number | undefined {
  const holding = layers.flatMap(([, places], at) =>
    places.filter((place) => file === place || file.startsWith(`${place}/`)).map((place) => ({ at, place })),
  )
  return holding.sort((a, b) => b.place.length - a.place.length)[0]?.at
}

/** Each file directly in src counts as a folder, because these files belong to different layers. */
function folderOf(file: string): string {
  return dirname(file) === 'src' ? file : dirname(file)
}

/** Groups of files or folders that import each other in a circle. Each group has two members or more. */
function circlesOf(all: readonly Import[]): string[][] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of all) if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to))
  const reached = new Map([...next.keys()].map((from) => [from, reachedFrom(from, next)]))
  const groups = [...next.keys()].map((one) =>
    [...next.keys()].filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one)).sort(),
  )
  return [...new Map(groups.filter(({ length }) => length > 1).map((group) => [group.join(), group])).values()]
}

function reachedFrom(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>()
  const open = [start]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next.get(at) ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      open.push(to)
    }
  }
  return seen
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

function importsOf(file: string): Import[] {
  return importsIn(file, /^(?:import|export)\s+(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gms)
}

function importsIn(file: string, pattern: RegExp): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(pattern)].map(([, target]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), target as string)),
  }))
}
