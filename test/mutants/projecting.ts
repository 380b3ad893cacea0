/** Mutants of how entries become records and outcomes of receipts (PROTOCOL 2.3 to 2.8). */
import type { Mutant } from './mutant.ts'
import { inJournal } from './test-files.ts'

export const projecting: readonly Mutant[] = [
  {
    rule: 'PROTOCOL 2.3: a changed row replaces only an older sequence',
    file: 'src/records/projections/rows.ts',
    find: 'condition: { seq: { lt: set.seq } }',
    replace: 'condition: {}',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: two changes of one row in an entry are both projected',
    file: 'src/records/projections/rows.ts',
    find: 'Object.assign({}, merged.get(change.id), change.set,',
    replace: 'Object.assign({}, change.set,',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: the later of two changes wins',
    file: 'src/records/projections/rows.ts',
    find: 'Object.assign({}, merged.get(change.id), change.set, { seq: change.seq })',
    replace: 'Object.assign({}, change.set, merged.get(change.id), { seq: change.seq })',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: an open question changes only by a newer sequence',
    file: 'src/records/projections/question-links.ts',
    find: 'condition: { seq: { lt: set.seq } }',
    replace: 'condition: {}',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: a document of an older entry replaces none of a newer one',
    file: 'src/records/projections/projection.ts',
    find: "writes.upsertIfNewer(collection, own, 'entry')",
    replace: 'writes.updateEach(collection, own.map((one) => ({ id: one.id, change: { set: one } })))',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: new records are written before those that they supersede',
    file: 'src/projections.ts',
    find: `  projectNewRows,
  // after the new rows: readers must never see superseded_by of a row that does not exist yet
  projectChangedRows,`,
    replace: `  projectChangedRows,
  projectNewRows,`,
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: receipts are written after records',
    file: 'src/projections.ts',
    find: 'export const projections: readonly Projection[] = [\n',
    replace: 'export const projections: readonly Projection[] = [\n  projectOutcomes,\n',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: the checkpoint is written last',
    file: 'src/journal/project.ts',
    find: `    for (const ask of asks) ask(writes)
    // last: from here on no worker reads this entry again
    writes.update(
      checkpoints,
      entry.workspace,
      { set: { projected: entry.number, projected_seq: entry.last_seq } },
      { projected: { lt: entry.number } },
    )
`,
    replace: `    writes.update(
      checkpoints,
      entry.workspace,
      { set: { projected: entry.number, projected_seq: entry.last_seq } },
      { projected: { lt: entry.number } },
    )
    for (const ask of asks) ask(writes)
`,
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: a receipt becomes applied only once the index has its record',
    file: 'src/receipts/outcomes.ts',
    find: 'return { ...common, entity: decided.entity, correctable: decided.correctable }',
    replace:
      "return { ...common, state: 'applied', open: 0, entity: decided.entity, correctable: decided.correctable }",
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.3: a failed receipt ends at once',
    file: 'src/receipts/outcomes.ts',
    find: 'state: decided.state, error: decided.error, open: 0,',
    replace: 'state: decided.state, error: decided.error,',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 4: projecting tells callers in this process of failed receipts only',
    file: 'src/journal/project.ts',
    find: "entry.receipts.filter((decided) => decided.state !== 'applied')",
    replace: 'entry.receipts',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.4: only an undecided receipt gets a number and an outcome',
    file: 'src/receipts/outcomes.ts',
    find: 'condition: { undecided: 1, open: 1 }',
    replace: 'condition: {}',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.4: a decided receipt is not decided again',
    file: 'src/receipts/outcomes.ts',
    find: 'const common = { number, undecided: 0, updated_at: now }',
    replace: 'const common = { number, updated_at: now }',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.5: checkpoint.projected only grows',
    file: 'src/journal/project.ts',
    find: '{ projected: { lt: entry.number } }',
    replace: '{}',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.5: number and sequence of the checkpoint belong together',
    file: 'src/journal/project.ts',
    find: 'projected_seq: entry.last_seq',
    replace: 'projected_seq: entry.first_seq',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2: every entry after the checkpoint is projected',
    file: 'src/journal/project.ts',
    find: 'let number = checkpoint.projected + 1;',
    replace: 'let number = checkpoint.projected + 2;',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2: the newest entry is projected too',
    file: 'src/journal/project.ts',
    find: 'number <= head.number; number++',
    replace: 'number < head.number; number++',
    killedBy: inJournal('projection'),
  },
  {
    rule: 'PROTOCOL 2.8: an entry of a newer format is left alone',
    file: 'src/journal/project.ts',
    find: 'if (entry.format > newestFormat) {',
    replace: 'if (entry.format > newestFormat + 1) {',
    killedBy: inJournal('drain'),
  },
]
