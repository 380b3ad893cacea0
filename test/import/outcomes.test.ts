/** What an import reads about how decisions worked out. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ImportedItem, Reading } from '../../src/import/files/reading.ts'
import { statusOfText } from '../../src/import/outcomes/status.ts'
import { readSource } from '../../src/import/read.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { dataOf } from '../support/repository.ts'
import { skipIf } from '../support/skip.ts'

describe('the status of a text', () => {
  it.each([
    ['Failed', 'failure'],
    ['**Failed**'.replaceAll('*', ''), 'failure'],
    ['Failed: nobody used it.', 'failure'],
    ['It failed because the disks were too slow.', 'failure'],
    ['The pilot was a failure – we lost two weeks.', 'failure'],
    ['Did not work out. We went back.', 'failure'],
    ['Unsuccessful.', 'failure'],
    ['Not a success.', 'failure'],
    ['❌ Failure', 'failure'],
    ['Success', 'success'],
    ['✅ Success. All shops use it.', 'success'],
    ['Worked well, and still does.', 'success'],
    ['It worked as expected after two weeks.', 'success'],
    ['This has been successful!', 'success'],
    ['Mixed', 'mixed'],
    ['Mixed: reads are faster, but writes failed twice.', 'mixed'],
    ['Mixed results after a year.', 'mixed'],
    ['Partially successful.', 'mixed'],
    ['Partial success', 'mixed'],
    ['Gescheitert: zu langsam.', 'failure'],
    ['Succès.', 'success'],
    ['失敗。', 'failure'],
  ])('%j is %s', (text, status) => expect(statusOfText(text)).toBe(status))

  it.each([
    '',
    'TBD',
    'Accepted',
    'Chosen option: "SQLite", because it works.',
    'We will use Go.',
    'Failed builds are retried.',
    'Failed over to the second site without loss.',
    'Failed to deploy? Read the runbook.',
    'Success criteria: fewer than ten calls a day.',
    'Success or failure',
    'Success? Not yet.',
    'Successful, failed and stopped builds are kept.',
    'It worked, but only for a week.',
    'Failed at first; works since May.',
    'Worked on by two teams.',
    'Mixed content is refused.',
    'success | failure | mixed',
    'Success/Failure',
    'It was decided to stay.',
    'The failure of one node is tolerated.',
    'No failure.',
  ])('%j has none', (text) => expect(statusOfText(text)).toBeUndefined())
})

const accepted =
  '# Use trams\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nHills.\n\n## Decision\n\nTrams.\n'
const nothing = { outcome_notes: null, observed_at: null }

/** Reads one record, and the same one without what is below it. */
async function read(text: string, front = ''): Promise<Reading> {
  const folder = temporaryFolder('precedent-outcomes-')
  mkdirSync(join(folder, 'adr'))
  writeFileSync(join(folder, 'adr/0001-trams.md'), front + text)
  return readSource(folder, { source: 'acme', git: false })
}
const only = ({ items }: Reading): ImportedItem => {
  expect(items).toHaveLength(1)
  return items[0] as ImportedItem
}
const messages = ({ notes }: Reading) => notes.map(({ message }) => message)
const told = (reading: Reading) => only(reading).outcomes.map(({ sources: _, ...outcome }) => outcome)

describe('sections of a decision record', () => {
  it.each([
    ['## Outcome\n\nFailed. The hills were too steep.', 'failure', 'Failed. The hills were too steep.'],
    ['## Outcome\n\nSuccess', 'success', null],
    ['## Outcomes\n\n- Mixed: fast, but loud.', 'mixed', '- Mixed: fast, but loud.'],
    ['## 5. Outcome\n\n**Status**: failure\n\nToo steep.', 'failure', '**Status**: failure\n\nToo steep.'],
    ['## Outcome: failed\n\nToo steep.', 'failure', 'Too steep.'],
    ['## Actual outcome\n\n- Status: mixed', 'mixed', null],
    ['## Results after two years\n\nIt worked. Nobody walks.', 'success', 'It worked. Nobody walks.'],
    [
      '## Retrospective\n\nWorked well.\n\n### Details\n\nNobody walks.',
      'success',
      'Worked well.\n\n### Details\n\nNobody walks.',
    ],
    ['## Consequences\n\nNoise.\n\n### Outcome\n\nFailed: noise.', 'failure', 'Failed: noise.'],
    ['Outcome\n-------\n\nMixed.', 'mixed', null],
  ])('%j is an outcome, and no part of the decision', async (section, outcome_status, outcome_notes) => {
    const reading = await read(`${accepted}\n${section}\n`)
    expect(told(reading)).toEqual([{ ...nothing, outcome_status, outcome_notes }])
    const without = section.startsWith('## Consequences') ? `${accepted}\n## Consequences\n\nNoise.\n` : accepted
    expect(only(reading).decision).toEqual(only(await read(without)).decision)
    expect(messages(reading)).toEqual([])
  })

  it.each([
    ['## Decision Outcome\n\nSuccess', 'the decision of MADR'],
    ['## Consequences\n\nSuccess. It is faster.', 'what is expected'],
    ['## Results\n\nFailed builds are shown.', 'what is expected'],
    ['## Results\n\nFailed.', 'what is expected'],
    ['## Considered Options\n\n### Buses\n\n#### Outcome\n\nFailed.', 'an option'],
    ['## Outcome of the vote\n\nSuccess', 'something else'],
    ['## Outcome\n\nTBD', 'nothing yet'],
    ['## Outcome\n\n<!-- Success or failure? -->', 'nothing yet'],
    ['## Outcome\n\n{success | failure | mixed}', 'nothing yet'],
  ])('%j is none: it is %s', async (section) => {
    const reading = await read(`${accepted}\n${section}\n`)
    expect(told(reading)).toEqual([])
    expect(messages(reading).filter((message) => /outcome/.test(message))).toEqual([])
  })

  it('Outcome is the decision of a record without another one, or above it', async () => {
    const alone = await read('# Use trams\n\n## Status\n\nAccepted\n\n## Outcome\n\nFailed. We stay with buses.\n')
    expect(only(alone)).toMatchObject({ outcomes: [], decision: { judgment: 'Failed. We stay with buses.' } })
    const above = await read(accepted.replace('## Decision', '## Outcome\n\nFailed.\n\n## Decision'))
    expect(told(above)).toEqual([])
  })

  it('without a plain status stay with the decision, and the report says what to add', async () => {
    const reading = await read(`${accepted}\n## Retrospective\n\nIt worked, but only for a week.\n`)
    expect(told(reading)).toEqual([])
    expect(only(reading).decision.context).toContain('only for a week')
    expect(messages(reading)).toEqual([expect.stringMatching(/^the section "Retrospective" .*add outcome_status/)])
    const front = '---\noutcome_status: mixed\n---\n'
    const stated = await read(`${accepted}\n## Retrospective\n\nIt worked, but only for a week.\n`, front)
    expect(told(stated)).toEqual([
      { ...nothing, outcome_status: 'mixed', outcome_notes: 'It worked, but only for a week.' },
    ])
    expect(messages(stated)).toEqual([])
  })

  it('in another script are not taken as empty', async () => {
    const reading = await read(`${accepted}\n## Outcome\n\nТрамваи ходят чаще.\n`)
    expect(messages(reading)).toEqual([expect.stringContaining('add outcome_status')])
  })

  it.each(['- Failed: trams.\n- Success: buses.', '- Trams\n  - Result: failed\n- Buses\n  - Result: worked well'])(
    'about several things have no status: %j',
    async (list) => {
      const reading = await read(`${accepted}\n## Outcome\n\n${list}\n`)
      expect(told(reading)).toEqual([])
      expect(messages(reading)).toEqual([expect.stringContaining('add outcome_status')])
    },
  )

  it('keep their order and dates, and name the file as their source', async () => {
    const reading = await read(
      `${accepted}\n## Outcome (2024-06-01)\n\nWorked.\n\n## Outcome after a year\n\n- Observed: 3 March 2025\n- Status: failed\n\nBroke.\n`,
    )
    expect(told(reading)).toMatchObject([
      { outcome_status: 'success', observed_at: '2024-06-01T00:00:00.000Z' },
      { outcome_status: 'failure', observed_at: '2025-03-03T00:00:00.000Z' },
    ])
    const source = {
      type: 'adr',
      id: 'acme/adr/0001-trams.md',
      provenance: { class: 'repo', path: 'acme/adr/0001-trams.md' },
    }
    expect(only(reading).outcomes.map(({ sources }) => sources)).toEqual([[source], [source]])
    const either = await read(`${accepted}\n## Outcome (05/02/2024)\n\nWorked.\n`)
    expect(told(either)).toMatchObject([{ observed_at: null }])
    expect(messages(either)).toEqual([expect.stringContaining('write it as YYYY-MM-DD')])
  })

  it.each(['Proposed', 'Rejected', 'Thinking'])(
    'of a record that is %s are not read, and the report says why',
    async (status) => {
      const text = `${accepted.replace('Accepted', status)}\n## Outcome\n\nFailed. Too steep.\n`
      const reading = await read(text, '---\noutcome: failed\n---\n')
      expect(told(reading)).toEqual([])
      expect(JSON.stringify(only(reading).decision)).toContain('Too steep')
      expect(messages(reading)).toContainEqual(expect.stringMatching(/^its outcome was not imported: the decision is/))
    },
  )

  it('are cut to the length of notes', async () => {
    const reading = await read(`${accepted}\n## Outcome\n\nFailed. ${'𠮷'.repeat(30_000)}\n`)
    expect([...(told(reading)[0]?.outcome_notes ?? '')]).toHaveLength(20_000)
    expect(messages(reading)).toEqual(['the outcome was cut to 20000 characters'])
  })
})

describe('front matter of a decision record', () => {
  it.each([
    ['outcome: failed', [{ outcome_status: 'failure' }]],
    ['outcome: "Failed: too steep"', [{ outcome_status: 'failure', outcome_notes: 'Failed: too steep' }]],
    [
      'outcome_status: mixed\noutcome_notes: |\n  Fast.\n  Loud.\noutcome_observed_at: 2024-06-01',
      [{ outcome_status: 'mixed', outcome_notes: 'Fast.\nLoud.', observed_at: '2024-06-01T00:00:00.000Z' }],
    ],
    [
      'outcome:\n  status: failure\n  notes: Too steep\n  observed_at: 1 June 2024',
      [{ outcome_status: 'failure', outcome_notes: 'Too steep', observed_at: '2024-06-01T00:00:00.000Z' }],
    ],
    [
      'outcomes:\n  - { status: success, observed_at: 2024-06-01 }\n  - status: failure\n',
      [{ outcome_status: 'success', observed_at: '2024-06-01T00:00:00.000Z' }, { outcome_status: 'failure' }],
    ],
  ])('%j', async (front, outcomes) => {
    const reading = await read(accepted, `---\n${front}\n---\n`)
    expect(told(reading)).toEqual(outcomes.map((one) => ({ ...nothing, ...one })))
    expect(messages(reading)).toEqual([])
  })

  it.each([
    ['outcome: We lost a week', /^an outcome without a status was not imported: add outcome_status/],
    ['outcome_status: great', /^outcome_status: must be one of success, failure, mixed/],
    ['outcome:\n  status: failure\n  mood: bad', /^outcome\.mood: unknown field/],
    ['outcome_status: failure\noutcome_observed_at: soon', /^outcome_observed_at: must be/],
  ])('%j is refused, and the decision is imported', async (front, message) => {
    const reading = await read(accepted, `---\n${front}\n---\n`)
    expect(told(reading)).toEqual([])
    expect(messages(reading)).toEqual([expect.stringMatching(message)])
  })
})

async function readFile(name: string, text: string): Promise<Reading> {
  const folder = temporaryFolder('precedent-outcomes-')
  writeFileSync(join(folder, name), text)
  return readSource(join(folder, name), { source: 'acme' })
}
const decision = { title: 'Trams', judgment: 'Yes.' }
const jsonl = (...rows: object[]) =>
  readFile('all.jsonl', rows.map((row) => JSON.stringify({ ...decision, ...row })).join('\n'))
const outcomesOf = ({ items }: Reading) => items.map(({ outcomes }) => outcomes)

describe('JSON Lines and CSV', () => {
  const sources = [{ type: 'ticket', id: '12', provenance: { class: 'external' } }]
  const failure = {
    outcome_status: 'failure',
    outcome_notes: 'Too steep.',
    observed_at: '2024-06-01T00:00:00.000Z',
    sources: [],
  }

  it('name an outcome by fields, by an object, or by a list', async () => {
    const fields = { outcome_status: 'failure', outcome_notes: 'Too steep.' }
    const reading = await jsonl(
      { ...fields, outcome_observed_at: '2024-06-01' },
      { ...fields, observed_at: '2024-06-01T02:00:00+02:00' },
      { outcome: { status: 'Failed', notes: 'Too steep.', observed_at: '2024-06-01' } },
      { outcomes: [{ ...fields, observed_at: '2024-06-01', sources }, { outcome_status: 'success' }] },
      { outcome: 'Too steep.', outcome_status: 'failure', observed_at: '2024-06-01' },
      { outcome: 'success' },
      {},
    )
    const success = { ...nothing, outcome_status: 'success', sources: [] }
    expect(messages(reading)).toEqual([])
    expect(outcomesOf(reading)).toEqual([
      ...[[failure], [failure], [failure]],
      [{ ...failure, sources }, success],
      ...[[failure], [success], []],
    ])
    expect(
      reading.items.every((item) => Object.keys(item.decision).every((name) => !/outcome|observed/.test(name))),
    ).toBe(true)
  })

  it('name them in columns', async () => {
    const rows = [
      'title,judgment,Outcome Status,outcome_notes,Observed At',
      'A,Yes.,failure,Too steep.,2024-06-01',
      'B,Yes.,,,',
    ]
    expect(outcomesOf(await readFile('all.csv', rows.join('\n')))).toEqual([[failure], []])
    const cells = ['title,judgment,outcome', 'A,Yes.,"{""status"":""mixed""}"', 'B,Yes.,Failed: [sic]', 'C,Yes.,']
    const read = await readFile('cells.csv', cells.join('\n'))
    expect(outcomesOf(read).map(([one]) => one?.outcome_status)).toEqual(['mixed', 'failure', undefined])
  })

  it('are refused with the field and the remedy', async () => {
    const { items, notes } = await jsonl(
      { outcome_status: 'great' },
      { outcome: { status: 'failure', notes: 'x'.repeat(20_001) } },
      { outcomes: [{ status: 'failure' }, { status: 'failure', when: 'now' }] },
      { outcome: { status: 'failure' }, outcome_notes: 'Twice.' },
      { outcome_status: 'failure', observed_at: '2024-06-01', outcome_observed_at: '2024-06-01' },
      { outcome_status: 'failure', outcome_observed_at: 'June' },
      { outcome: ['failure'], title: undefined },
    )
    expect(items).toEqual([])
    expect(notes.map(({ line, message }) => [line, message])).toEqual([
      [1, expect.stringMatching(/^outcome_status: must be /)],
      [2, expect.stringMatching(/^outcome\.outcome_notes: must have at most/)],
      [3, expect.stringMatching(/^outcomes\[1\]\.when: unknown field/)],
      [4, 'outcome_notes: leave it out: outcome says it'],
      [5, 'observed_at: leave it out: outcome_observed_at says it'],
      [6, expect.stringMatching(/^outcome_observed_at: must be/)],
      [7, 'title: is required: add it'],
      [7, expect.stringMatching(/^outcome\[0\]: must be an object/)],
    ])
  })

  it('without a status, or of a proposal, are left out with a remark, and the decision is imported', async () => {
    const reading = await jsonl({ outcome: 'We moved.' }, { outcome_status: 'failure', status: 'proposed' })
    expect(outcomesOf(reading)).toEqual([[], []])
    expect(reading.notes).toMatchObject([
      { line: 1, remark: true, message: expect.stringContaining('add outcome_status') },
      { line: 2, remark: true, message: expect.stringContaining('the decision is proposed') },
    ])
  })
})

const { folder, missing } = dataOf('adr')

describe('nine folders of real decision records', skipIf(missing), () => {
  const names = missing ? [] : readdirSync(folder)

  it.each(names)('%s tells no outcome, and one that is added leaves every decision as it is', async (name) => {
    const before = await readSource(join(folder, name), { git: false, source: 'x' })
    expect(outcomesOf(before).flat()).toEqual([])
    expect(messages(before).filter((message) => /outcome/.test(message))).toEqual([])
    const copy = join(temporaryFolder('precedent-outcomes-'), name)
    cpSync(join(folder, name), copy, { recursive: true })
    for (const { file } of before.items) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      writeFileSync(
        join(copy, file),
        `${readFileSync(join(folder, name, file), 'utf8')}\n\n## Results after a year\n\nFailed. Nobody used it.\n`,
      )
    }
    const after = await readSource(copy, { git: false, source: 'x' })
    const wrong = after.items.flatMap(({ file, decision, outcomes }, at) => {
      const same = JSON.stringify(decision) === JSON.stringify(before.items[at]?.decision)
      const expected = ['proposed', 'rejected'].includes(decision.status) ? 0 : 1
      return outcomes.length === expected && (same || expected === 0) ? [] : [[file, outcomes.length, same]]
    })
    expect(wrong).toEqual([])
  })
})
