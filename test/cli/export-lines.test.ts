import { expect, it } from 'vitest'
import { type DecisionResponse, decisionLines, type Supersession } from '../../src/cli/export/lines.ts'
import { decisionImportItem } from '../../src/decisions/input.ts'

it('exports a decision that an import accepts, however many it supersedes and is to supersede', () => {
  const decision: DecisionResponse = {
    ...{ id: '00000000-0000-7000-9000-000000000001', external_id: 'ada/new', title: 'New', judgment: 'Do it.' },
    ...{ context: '', status: 'accepted', decided_at: '2024-01-02T00:00:00.000Z', decided_by: [], entities: [] },
    ...{ sources: [], supersedes: [], visibility: { scope: 'workspace' } },
  }
  const targets = (state: Supersession['state'], of: string) =>
    Array.from({ length: 50 }, (_, at): Supersession => ({ target: `ada/${of}-${at}`, state }))
  const done = targets('in_effect', 'done')
  const supersessions = [...targets('planned', 'ahead'), ...done]
  const [{ kind: _, id: __, ...line } = {}] = decisionLines(decision, supersessions, []) as Record<string, unknown>[]
  const { supersedes } = decisionImportItem.parse(line)
  expect(supersedes.toSorted()).toEqual(done.map(({ target }) => target).sort())
})
