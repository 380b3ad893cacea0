/** The projection of the outcomes of receipts. Receipts only move forward (PROTOCOL 2.4). */
import { type Decided, type Receipt, receipts } from '../receipt.ts'
import { defineProjection } from '../records/projections/projection.ts'

export const projectOutcomes = defineProjection({
  writes: [receipts],
  write(writes, { receipts: all, number }, { now }) {
    if (all.length === 0) return
    writes.updateEach(
      receipts,
      all.map((decided) => ({
        id: decided.receipt,
        change: { set: outcomeOf(decided, number, now) },
        // skips receipts that are already decided or ended
        condition: { undecided: 1, open: 1 },
      })),
    )
  },
})

function outcomeOf(decided: Decided, number: number, now: string): Partial<Receipt> {
  const common = { number, undecided: 0, updated_at: now }
  if (decided.state === 'applied') {
    // the state becomes `applied` once the index shows the entry
    return { ...common, entity: decided.entity, correctable: decided.correctable }
  }
  return { ...common, state: decided.state, error: decided.error, open: 0, ended_at: now, input: null }
}
