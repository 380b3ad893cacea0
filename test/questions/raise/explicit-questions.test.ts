import { describe, expect, it } from 'vitest'
import type { NewRow } from '../../../src/deciding/outcome.ts'
import { findingsOf } from '../../../src/questions/raise/rules.ts'

const fact = (text: string) =>
  ({ kind: 'memory', title: 'A title', text, status: 'accepted', sources: [], body: { memory_kind: 'fact' } }) as never
const decision = (judgment: string) =>
  ({
    ...(fact(judgment) as NewRow),
    kind: 'decision',
    body: { judgment, context: null, rationale: null, consequences: null },
  }) as never

/** The explicit questions of a row, and whether each of them is all that the row says. */
function asked(row: never): [string, boolean][] {
  const base = { invalidated_at: null, superseded_by: null, significance: null, record_id: 'r' }
  return findingsOf({ ...(row as NewRow), ...base } as never)
    .filter(({ reason }) => reason === 'explicit_question')
    .map(({ about }) => [about[0]?.claim ?? '', about[0]?.whole ?? false])
}

describe('explicit questions', () => {
  it.each([
    ['We chose Postgres, open question: which version?', 'which version?'],
    ['Ship the beta in May; TBD: who announces it?', 'who announces it?'],
    ['Backups run nightly (to be decided: which hour?)', 'which hour?'],
    ['Backups run nightly (still open: which hour)', 'which hour'],
    ['We ship in May. TBD: who announces it?', 'who announces it?'],
    ['Still open: who announces it; we ship in May.', 'who announces it'],
    ['TBD: which version?\n\n```\nselect version()\n```', 'which version?'],
    ['@Marta we ship the beta in May, who announces it?', 'we ship the beta in May, who announces it?'],
  ])('are found, but are not the whole text: %s', (text, question) => {
    expect(asked(fact(text))).toEqual([[question, false]])
  })

  it.each([
    ['Which version do we run?', 'Which version do we run?'],
    ['TBD: which version?', 'which version?'],
    ['**TBD: which version?**', 'which version?'],
    ['(Still open: which version (of the two)?)', 'which version (of the two)?'],
    ['One open question: which version?', 'which version?'],
    ['- Question for Legal: may we keep it?', 'may we keep it?'],
    ['@Marta, who signs the lease?', 'who signs the lease?'],
    ['It is still open who prunes the whitebeam.', 'who prunes the whitebeam'],
    ['We still need to decide who signs the lease.', 'who signs the lease'],
    ['Noch offen: wer unterschreibt den Vertrag?', 'wer unterschreibt den Vertrag?'],
  ])('are found and are the whole text: %s', (text, question) => {
    expect(asked(fact(text))).toEqual([[question, true]])
  })

  it('keep brackets and emphasis signs that they open themselves', () => {
    const questions = ['who signs (and when)?', 'who signs *first*?', 'who signs [of us]?'].map((one) => [one, false])
    expect(questions.flatMap(([one]) => asked(fact(`We lease it (open: ${one})`)))).toEqual(questions)
  })

  it('are never the whole of a decision, because its title says what was decided', () => {
    for (const judgment of ['We use RabbitMQ, open question: which version?', 'Open question: which version?']) {
      expect(asked(decision(judgment))).toEqual([['which version?', false]])
    }
  })
})
