/** The samples of test/quality/code/tree, with facts that were written by hand. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CodeSymbol } from '../../../src/ports/code-parser.ts'
import { repository } from '../../support/repository.ts'

export const samples = join(repository, 'test/quality/code/tree')

export function sampleNames(): string[] {
  return readdirSync(samples).flatMap((name) => (name.endsWith('.facts') ? [name.slice(0, -'.facts'.length)] : []))
}

/** `kind container/name`, one for each symbol. Constants, variables and fields only of languages that hold data. */
export function factsByHand(name: string): string[] {
  return readFileSync(join(samples, `${name}.facts`), 'utf8')
    .trim()
    .split('\n')
}

const data = /\.(?:tf|yml|sql)$/
const values = new Set(['constant', 'variable', 'field'])

export function factsFound(name: string, symbols: readonly CodeSymbol[]): string[] {
  return symbols
    .filter(({ kind }) => data.test(name) || !values.has(kind))
    .map(({ kind, container, name }) => `${kind} ${container === undefined ? '' : `${container}/`}${name}`)
}

/** How many of both are the same, each counted once. */
export function sharedCount(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>()
  for (const value of one) left.set(value, (left.get(value) ?? 0) + 1)
  let shared = 0
  for (const value of other) {
    const count = left.get(value) ?? 0
    if (count > 0) shared += 1
    left.set(value, count - 1)
  }
  return shared
}
