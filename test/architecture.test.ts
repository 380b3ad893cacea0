import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** From outside to inside: a layer may import those after it and itself, never one before it. */
const layers: readonly (readonly [name: string, places: readonly string[]])[] = [
  ['processes', ['workers']],
  ['cli', ['src/cli']],
  [
    'composition',
    [
      'src/service.ts',
      'src/engines.ts',
      'src/readiness.ts',
      'src/repeating.ts',
      'src/metrics',
      'src/doctor',
      'src/log.ts',
      'src/log-line.ts',
      'src/log-pretty.ts',
    ],
  ],
  ['http', ['src/http']],
  ['backup', ['src/backup']],
  ['tables', ['src/operations.ts', 'src/collections.ts', 'src/run-query.ts']],
  ['entities', ['src/memories', 'src/decisions', 'src/context', 'src/questions', 'src/import']],
  ['spine', ['src/journal', 'src/receipts', 'src/records', 'src/access', 'src/operation.ts', 'src/problem.ts']],
  ['adapters', ['src/adapters']],
  ['text', ['src/text']],
  ['ports', ['src/ports']],
]

/** Types of the words that ports and adapters speak of; imported as types only. */
const vocabulary = ['src/records/ids.ts', 'src/records/record.ts', 'src/receipts/receipt.ts']
/** Who may know which engine is in use. */
const composition = ['src/engines.ts', 'src/doctor']
/** An adapter, but no engine. */
const clock = 'src/adapters/system-clock.ts'

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const imports = ['src', 'workers', 'config'].flatMap(filesIn).flatMap(importsOf)

describe('dependencies point one way', () => {
  it('never from an inner layer to an outer one', () => {
    const wrong = imports.filter(({ from, to, typeOnly }) => {
      const [inner, outer] = [layerOf(from), layerOf(to)]
      if (inner === undefined || outer === undefined) return false
      return outer < inner && !(typeOnly && vocabulary.includes(to))
    })
    expect(wrong).toEqual([])
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

  it('only config/ reads the environment', () => {
    const readers = ['src', 'workers', 'config']
      .flatMap(filesIn)
      .filter((file) => /process\.env\b/.test(readFileSync(join(root, file), 'utf8')))
    expect(readers.filter((file) => !file.startsWith('config/'))).toEqual([])
  })

  it('looks at every file', () => {
    const unknown = filesIn('src').filter((file) => layerOf(file) === undefined)
    expect(unknown).toEqual([])
    expect(imports.length).toBeGreaterThan(100)
  })
})

function layerOf(file: string): number | undefined {
  const at = layers.findIndex(([, places]) => places.some((place) => file === place || file.startsWith(`${place}/`)))
  return at < 0 ? undefined : at
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const pattern = /^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gms
  return [...text.matchAll(pattern)].map(([, type, target]) => ({
    from: file,
    to: relative(root, resolve(root, dirname(file), target as string)),
    typeOnly: type !== undefined,
  }))
}
