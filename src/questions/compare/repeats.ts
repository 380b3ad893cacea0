/**
 * Comparing proposals with decisions that failed: finds proposals that repeat one, whichever of the two was recorded first.
 * Both are searched for by their tags, so that other records take up no places among the candidates.
 */
import type { PrecedentRecord, RecordOf } from '../../records/record.ts'
import { tagOf } from '../../records/search-document.ts'
import { type Comparing, foundByRules, rowsIn } from './comparing.ts'
import { isNameable } from './name-failure.ts'

type Role = 'proposed' | 'failed'

export const comparingRepeats: Comparing = {
  /** New proposals, and decisions that this entry says have failed or that were revised after they failed. */
  async rows(documents, entry) {
    return (await rowsIn(documents, entry, ({ mutable }) => isFailure(mutable))).filter((row) => roleOf(row))
  },
  filter: (row) => ({ kinds: ['decision'], tags: [tagsOfRole[otherRole(row)]] }),
  isOther: (row, other) => roleOf(other) === otherRole(row) && isNameable(...proposalFirst(row, other)),
  find: (ports, row, others) => foundByRules(ports, { task: 'repeats', row, others }),
}

/** An index that lacks the tag finds no row of the role, so that comparing waits for one that has it. */
const tagsOfRole: { readonly [role in Role]: readonly string[] } = {
  proposed: [tagOf('status', 'proposed')],
  failed: [tagOf('outcome', 'failure')],
}

function roleOf(row: PrecedentRecord): Role | undefined {
  if (row.kind !== 'decision') return undefined
  if (row.status === 'proposed') return 'proposed'
  return isFailure(row.mutable) ? 'failed' : undefined
}

function otherRole(row: PrecedentRecord): Role {
  return roleOf(row) === 'proposed' ? 'failed' : 'proposed'
}

function isFailure(mutable: object | undefined): boolean {
  return (mutable as Partial<RecordOf<'decision'>['mutable']> | undefined)?.outcome?.status === 'failure'
}

export function proposalFirst(
  one: PrecedentRecord,
  other: PrecedentRecord,
): [proposal: PrecedentRecord, failed: PrecedentRecord] {
  return roleOf(one) === 'proposed' ? [one, other] : [other, one]
}
