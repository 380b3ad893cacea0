import { beforeAll, describe, expect, it } from 'vitest'
import type { Reading } from '../../src/import/files/reading.ts'
import { skipIf } from '../support/skip.ts'
import {
  type Comparison,
  comparisonsOf,
  type Fact,
  factsOf,
  fields,
  folders,
  missing,
  readFolder,
  type Understood,
} from './facts.ts'

/** Facts that the import is not expected to read, each with the reason. */
const unread: Record<string, string> = {
  'supersedes docs/adr/020_CLAUDE_CONFIG_DIRによる双方向パス互換性の実現.md': 'in running text; 019 says it of itself',
}

describe('nine folders of real decision records', skipIf(missing), () => {
  for (const name of folders) {
    describe(name, () => {
      const facts = factsOf(name)
      let reading: Reading
      let understood: Map<string, Understood>
      let comparisons: Comparison[]

      beforeAll(async () => {
        ;({ reading, understood } = await readFolder(name))
        comparisons = comparisonsOf(facts, understood)
      })

      it.each(fields)('reads %s as a person does', (field) => {
        const wrong = comparisons.filter((one) => one.field === field && !one.isRight)
        expect(wrong.filter(({ path }) => !unread[`${field} ${path}`])).toEqual([])
      })

      it('links exactly the supersessions that one of the two records states', () => {
        const prefix = `${reading.source}/`
        const actual = reading.items.flatMap(({ file: newer, decision }) =>
          decision.supersedes.map((older) => `${newer} > ${older.slice(prefix.length)}`),
        )
        expect(actual.sort()).toEqual(supersessionsOf(facts))
      })

      it('puts exactly those decisions in force that are in force by the files', () => {
        const superseded = supersessionsOf(facts)
        for (const { file: path, decision } of reading.items) {
          const fact = facts.find((one) => one.path === path) as Fact
          expect([path, decision.status]).toEqual([
            path,
            standing(fact, facts, superseded, understood.get(path)?.adr.status !== undefined),
          ])
        }
      })
    })
  }
})

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
