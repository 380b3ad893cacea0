import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ParsedAdr, parseAdr } from '../../src/import/adr/parse.ts'
import { type Index, indexOf, resolve } from '../../src/import/adr/tree/resolve.ts'
import type { Reading } from '../../src/import/files/reading.ts'
import { readSource } from '../../src/import/read.ts'
import { dataOf } from '../support/repository.ts'
import { skipIf } from '../support/skip.ts'
import { type Fact, type Facts, factsFolder, fields, type Understood } from './facts.ts'

const { folder, missing } = dataOf('adr')
const found = readdirSync(factsFolder).filter((name) => name.endsWith('.facts.json'))

/** Facts that the import is not expected to read, each with the reason. */
const unread: Record<string, string> = {
  'supersedes docs/adr/020_CLAUDE_CONFIG_DIRによる双方向パス互換性の実現.md': 'in running text; 019 says it of itself',
}

const counts = new Map<string, Map<string, { right: number; of: number }>>()
const differences: string[] = []

describe('nine folders of real decision records', skipIf(missing), () => {
  for (const file of found) {
    const name = file.replace('.facts.json', '').replace('__', '+')
    describe(name, () => {
      const { files } = JSON.parse(readFileSync(join(factsFolder, file), 'utf8')) as Facts
      let reading: Reading
      let understood: Map<string, Understood>

      beforeAll(async () => {
        reading = await readSource(join(folder, name), { git: false })
        understood = understand(join(folder, name), reading)
      })

      for (const [field, { stated, read }] of Object.entries(fields)) {
        it(`reads ${field} as a person does`, () => {
          const wrong: string[] = []
          let of = 0
          for (const fact of files) {
            const expected = stated(fact)
            if (expected === undefined) continue
            of++
            const actual = read(understood.get(fact.path) as Understood | undefined, fact)
            if (JSON.stringify(actual) !== JSON.stringify(expected)) {
              wrong.push(`${fact.path}: ${JSON.stringify(actual)} where a person reads ${JSON.stringify(expected)}`)
            }
          }
          count(name, field, of - wrong.length, of)
          differences.push(...wrong.map((line) => `${field} ${line}`))
          expect(wrong.filter((line) => !unread[`${field} ${line.split(': ')[0]}`])).toEqual([])
        })
      }

      it('links exactly the supersessions that one of the two records states', () => {
        const prefix = `${reading.source}/`
        const actual = reading.items.flatMap(({ file: newer, decision }) =>
          decision.supersedes.map((older) => `${newer} > ${older.slice(prefix.length)}`),
        )
        expect(actual.sort()).toEqual(supersessionsOf(files))
      })

      it('puts exactly those decisions in force that are in force by the files', () => {
        const superseded = supersessionsOf(files)
        for (const { file: path, decision } of reading.items) {
          const fact = files.find((one) => one.path === path) as Fact
          expect([path, decision.status]).toEqual([
            path,
            standing(fact, files, superseded, understood.get(path)?.adr?.status !== undefined),
          ])
        }
      })
    })
  }

  afterAll(() => console.log(table()))
})

function understand(root: string, reading: Reading): Map<string, Understood> {
  const parsed = new Map(
    reading.items.map(({ file }) => [file, parseAdr(readFileSync(join(root, file), 'utf8'), file.split('/').at(-1))]),
  )
  const index = indexOf(
    reading.items.map(({ file, decision }) => ({
      path: file,
      title: decision.title,
      number: parsed.get(file)?.number,
    })),
  )
  return new Map(
    reading.items.map(({ file, decision }) => {
      const adr = parsed.get(file) as ParsedAdr
      const date = decision.decided_at?.slice(0, 10) ?? null
      return [file, { adr, date, links: linksOf(adr, file, index) }]
    }),
  )
}

function linksOf(adr: ParsedAdr, file: string, index: Index): Understood['links'] {
  const links: Understood['links'] = { supersedes: [], superseded_by: [], amends: [], amended_by: [] }
  for (const { kind, target, partial } of adr.relations) {
    const resolved = resolve(index, file, target)
    const path = 'path' in resolved ? resolved.path : (target.url ?? target.text)
    const stated = partial ? (kind === 'amends' ? 'supersedes' : 'superseded_by') : kind
    if (!links[stated].includes(path)) links[stated].push(path)
  }
  for (const list of Object.values(links)) list.sort()
  return links
}

function supersessionsOf(files: readonly Fact[]): string[] {
  const pairs = files.flatMap((fact) =>
    fact.partial
      ? []
      : [
          ...(fact.supersedes ?? []).map((older) => `${fact.path} > ${older}`),
          ...(fact.superseded_by ?? []).map((newer) => `${newer} > ${fact.path}`),
        ],
  )
  return [...new Set(pairs)].sort()
}

/** A superseded record is imported as accepted if its successor is in force. */
function standing(fact: Fact, files: readonly Fact[], pairs: readonly string[], stated: boolean): string {
  if (fact.status === 'unknown') return stated ? 'proposed' : 'accepted'
  if (fact.partial && fact.status === 'superseded') return 'accepted'
  if (fact.status !== 'superseded' && fact.status !== 'deprecated') return fact.status as string
  const successors = pairs.filter((pair) => pair.endsWith(` > ${fact.path}`)).map((pair) => pair.split(' > ')[0])
  const effective = files.some(
    (one) => successors.includes(one.path) && !['proposed', 'rejected', 'unknown'].includes(one.status ?? ''),
  )
  return effective ? 'accepted' : 'deprecated'
}

function count(name: string, field: string, right: number, of: number): void {
  const row = counts.get(field) ?? new Map()
  row.set(name, { right, of })
  counts.set(field, row)
}

function table(): string {
  const rows = [...counts].map(([field, byFolder]) => {
    const all = [...byFolder.values()].reduce((sum, one) => ({ right: sum.right + one.right, of: sum.of + one.of }))
    return `${field.padEnd(14)} ${String(all.right).padStart(4)} of ${String(all.of).padStart(4)}  ${((100 * all.right) / Math.max(1, all.of)).toFixed(1)} %`
  })
  return ['field          as a person reads it', ...rows, ...(differences.length > 0 ? ['', ...differences] : [])].join(
    '\n',
  )
}
