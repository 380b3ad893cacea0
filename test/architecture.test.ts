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
    ['changes', 'home', 'import', 'keys', 'operations', 'receipt', 'record', 'repositories', 'search', 'task'].map(
      (folder) => `src/console/${folder}`,
    ),
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

/** Words and numbers that the service shares with pages of the console. */
const sharedWithPages = ['src/records/standing.ts', 'src/records/imported.ts', 'src/import/files/bounds.ts']
const threadOfImport = 'src/console/import-thread/'
/** What kinds of records there are and what states they have. They call nothing. */
const tablesOfRecords = [
  'src/receipt.ts',
  ...['body', 'entry-documents', 'in-force', 'kinds', 'revisions', 'run', 'task-values', 'title'].map(
    (name) => `src/records/${name}.ts`,
  ),
]
/** The inputs of operations, by which an import validates what it reads. */
const inputs = [
  ...['src/decisions/input.ts', 'src/decisions/outcome-input.ts', 'src/memories/input.ts'],
  ...['src/tasks/import-item.ts', 'src/tasks/write-schema.ts', 'src/runs/schema.ts'],
]

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

  it('the pages of the console take types only from the rest of the service, which does not run in a browser', () => {
    const wrong = filesIn('src/console')
      .filter((file) => !file.startsWith(threadOfImport))
      .flatMap(valuesIn)
      .filter(({ to }) => !to.startsWith('src/console/') && !sharedWithPages.includes(to))
    expect(wrong).toEqual([])
    expect(sharedWithPages.flatMap(valuesIn).filter(({ to }) => !sharedWithPages.includes(to))).toEqual([])
  })

  it('the thread of the import reaches the reader and the sender of imports, and nothing of the service or of Node', () => {
    const reached = new Set(filesIn(threadOfImport))
    for (const file of reached) for (const { to } of valuesIn(file)) reached.add(to)
    const places = [
      threadOfImport,
      'src/console/service/http.ts',
      'src/import/',
      'src/cli/',
      'src/validation/',
      'src/text/',
    ]
    const words = ['src/secrets/', 'src/ports/', 'src/ids.ts', 'src/problem.ts', ...tablesOfRecords, ...inputs]
    const outside = [...reached].filter((file) => ![...places, ...words].some((place) => file.startsWith(place)))
    expect(outside).toEqual([])
    expect([...reached]).toContain('src/import/adr/parse.ts')
    expect([...reached]).toContain('src/cli/import/decisions.ts')
    const ofNode = [...reached].filter((file) =>
      /^import\s+(?!type\b).*'node:/m.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(ofNode).toEqual([])
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

function valuesIn(file: string): Import[] {
  return importsIn(file, /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gms)
}

function importsIn(file: string, pattern: RegExp): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(pattern)].map(([, target]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), target as string)),
  }))
}
