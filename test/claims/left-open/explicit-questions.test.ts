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
  const base = { invalidated_at: null, superseded_by: null, significance: null, record_id: 'r', mutable: {} }
  return findingsOf({ ...(row as NewRow), ...base } as never)
    .filter(({ reason }) => reason === 'explicit_question')
    .map(({ about }) => [about[0]?.claim ?? '', about[0]?.whole ?? false])
}

/** The claims of all questions of a row, with their reasons. */
const claimsOf = (row: object) =>
  findingsOf({
    invalidated_at: null,
    superseded_by: null,
    significance: null,
    record_id: 'r',
    mutable: {},
    ...row,
  } as never).map(({ reason, claim }) => `${reason}: ${claim}`)

describe('explicit questions', () => {
  it.each([
    ['We chose Postgres, open question: which version?', 'We chose Postgres, open question: which version?'],
    ['Backups run nightly (to be decided: which hour?)', 'Backups run nightly (to be decided: which hour?)'],
    ['It is still open who prunes the whitebeam. It is old.', 'It is still open who prunes the whitebeam.'],
    ['# Backups\n\nThey run nightly. TBD: which hour?', 'Backups: TBD: which hour?'],
    ['# Backups\n\n## Restore\n\nOpen:\n\n- Who tries it?', 'Restore: Who tries it?'],
  ])('are shown as their whole sentence, after the heading they stand under: %s', (text, claim) => {
    expect(claimsOf(fact(text))).toEqual([`explicit_question: ${claim}`])
  })

  it.each<[string, string]>([
    [
      'TODO decide if they are allowed to write - see below.',
      'A title: TODO decide if they are allowed to write - see below.',
    ],
    ['The kiosk is new. Open question: who cleans it?', 'The kiosk is new. Open question: who cleans it?'],
    ['The kiosk is new. TBD: does it open on Sundays?', 'The kiosk is new. TBD: does it open on Sundays?'],
    ['# Kiosk\n\nTBD: does it open on Sundays?', 'Kiosk: TBD: does it open on Sundays?'],
    [
      'The tablet locks after 5 minutes. Is that also wanted while a pilot is on the bridge?',
      'The tablet locks after 5 minutes. Is that also wanted while a pilot is on the bridge?',
    ],
    ...[
      'Dealers were paid on average 19 days after delivery. Open question: do we owe them interest?',
      'Marta left in May. Open question: who takes her keys and badge?',
      'Two drivers were fined in Turku. TBD: does the depot pay for these?',
      'The shed in Lund is full. Open question: can we still park bikes there at night?',
      'The depot is old. Open question: does the landlord insure it, and from when?',
      'Couriers ride their own bikes. TBD: do we pay for their repairs in winter?',
    ].map((text): [string, string] => [text, text]),
    [
      'Rent is due in May. Open question: do the dealers get interest if we pay them late?',
      'Open question: do the dealers get interest if we pay them late?',
    ],
    ['The shed is full. Open question: will there be another key?', 'Open question: will there be another key?'],
    ['The shed is full. TBD: do all drivers get their own key?', 'TBD: do all drivers get their own key?'],
  ])(
    'that ask about “it”, “them” or “there” are shown after the sentence before, the heading or the title: %s',
    (text, claim) => {
      expect(claimsOf(fact(text))).toEqual([`explicit_question: ${claim}`])
    },
  )

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

describe('a single source', () => {
  const constraint = (type: string, title: string, text = 'Data must be deleted within 30 days.') => ({
    ...(fact(text) as NewRow),
    body: { memory_kind: 'constraint' },
    sources: [{ type, title, provenance: { class: 'external' } }],
  })

  it.each([
    ['contract', 'Acme 2024'],
    ['document', 'GDPR, Article 17'],
    ['document', 'Terms of service'],
    ['terms_of_service', ''],
    ['web', 'Water Resources Act 1991'],
    ['ticket', 'OPS-112'],
  ])('is not asked about if the source makes the rule: %s %s', (type, title) => {
    expect(claimsOf(constraint(type, title))).toEqual([])
  })

  it.each([
    ['mail', 'From Ada'],
    ['web', 'A blog about contracting'],
    ['document', 'Notes of Monday'],
  ])('is asked about if the source only reports the rule: %s %s', (type, title) => {
    expect(claimsOf(constraint(type, title))).toEqual(['single_source: Data must be deleted within 30 days.'])
  })

  it.each([
    { type: 'document', id: 'works-agreement-2026-05' },
    { type: 'document', id: 'safety-manual-ch7' },
    { type: 'document', id: 'dpia-manifest' },
    { type: 'document', id: 'fare-table-2025' },
    { type: 'file', id: 'shared/policies/retention.md' },
    { type: 'web', id: '1', url: 'https://acme.example/legal/TermsOfUse.pdf?for=crew' },
    { type: 'document', id: 'rfc2119' },
    { type: 'document', title: 'Notice of the harbour authority' },
    { type: 'document', id: 'minutes-2026-03' },
  ])('is not asked about if the id or the address of the source names what makes the rule: %o', (source) => {
    const { sources, ...row } = constraint('', '')
    expect(claimsOf({ ...row, sources: [{ ...sources[0], ...source }] })).toEqual([])
  })

  it.each([
    { type: 'email', id: 're-contract-2026' },
    { type: 'web', id: '1', url: 'https://contracts.example/blog/a-visit?of=standards' },
    { type: 'document', id: 'every-30-minutes' },
  ])(
    'is asked about if the source is a message, or if only its host, query or number names such a thing: %o',
    (source) => {
      const { sources, ...row } = constraint('', '')
      expect(claimsOf({ ...row, sources: [{ ...sources[0], title: '', ...source }] })).toHaveLength(1)
    },
  )

  it.each([
    ['Ines delivers the report by 15 December 2026.', 0],
    ['The old interface stays up until the end of Q1 2027.', 0],
    ['Crew members get their roster 14 days ahead.', 1],
    ['We send the figures on Mondays at 9:00.', 1],
  ])('is not asked about a promise if its text tells a date: %s', (text, count) => {
    const promise = { ...constraint('mail', 'From Ada', text), body: { memory_kind: 'commitment' } }
    expect(claimsOf(promise)).toHaveLength(count)
    expect(claimsOf(constraint('mail', 'From Ada', text))).toHaveLength(1)
  })

  it('is asked about if a ticket states no rule', () => {
    const text = 'The export is slow on Mondays.'
    expect(claimsOf(constraint('ticket', 'OPS-113', text))).toEqual([`single_source: ${text}`])
    const { sources, ...row } = constraint('ticket', '', text)
    expect(claimsOf({ ...row, sources: [{ ...sources[0], id: 'ACT-113' }] })).toEqual([`single_source: ${text}`])
  })
})

describe('an item without a question mark below an introduction that says that the items are open', () => {
  it('is a question if it begins with an interrogative', () => {
    const text =
      'We move the buoys in June.\n\nTo be decided:\n- who paints the buoys\n- which rope we take\n- the old pier'
    expect(claimsOf(decision(text) as NewRow)).toEqual([
      'explicit_question: who paints the buoys',
      'explicit_question: which rope we take',
    ])
  })

  it.each([
    'What we open on Monday:\n- where the ferry lands',
    'Still open:\n- when the ferry lands: at noon',
    'Pending:\n- When the bell rings, lower the ramp',
  ])('is none if the list says something else: %s', (text) => {
    expect(claimsOf(decision(text) as NewRow)).toEqual([])
  })
})

describe('the judgment of a proposal', () => {
  const proposal = (judgment: string) => ({ ...(decision(judgment) as NewRow), status: 'proposed' })

  it.each([
    'TBD',
    '_To be decided._',
    '<decision>',
    '{{ judgment }}',
    '…',
    'Lorem ipsum dolor sit amet, consectetur.',
    'TODO: describe this later',
    'Not known yet.',
    'To be determined by the harbour office.',
  ])('is not asked for if there is none: %s', (judgment) => {
    expect(claimsOf(proposal(judgment)).filter((one) => one.startsWith('pending'))).toEqual([])
  })

  it.each([
    'Use Postgres.',
    'None of the proxies is kept.',
    'Open the port.',
    'TBD: the version. We use Postgres.',
    'To do: move the buoys.',
    'To be done in Rust.',
  ])('is asked for if there is one: %s', (judgment) => {
    expect(claimsOf(proposal(judgment))).toContain(`pending_judgment: A title: ${judgment}`)
  })

  it('is not asked for an imported proposal whose judgment is only its title', () => {
    const written = { ...proposal('Use Postgres'), title: 'Use Postgres' }
    expect(claimsOf(written)).toContain('pending_judgment: Use Postgres: Use Postgres')
    expect(claimsOf({ ...written, surface: 'adr' })).toEqual([])
  })

  it.each([
    ['# Options\n\nWe split it. It is not clear how close to real time it is.', 'a reason against an option'],
    ['# Out of scope\n\nIt is not clear if others need the field.', 'out of scope'],
    ['# Hosting\n\nUnclear how to implement this.', 'what is unclear is not said'],
    ['# Usage\n\nUsers will still need to know which interfaces there are.', 'a consequence'],
  ])('are not found where nobody is asked: %s', (text) => {
    expect(asked(fact(text))).toEqual([])
  })

  it('are found among options if they must be decided', () => {
    const text = '# Options\n\nWe need to decide if the framework should define an abstraction.'
    expect(asked(fact(text))).toEqual([['if the framework should define an abstraction', false]])
  })
})

describe('hedges', () => {
  it.each([
    'We split it because we want the core to be tested well and it will probably grow.',
    'As we are not sure about the features of next year, a plugin is good.',
  ])('are not found in the reason of a claim: %s', (text) => {
    expect(claimsOf(fact(text))).toEqual([])
  })

  it('are found in the claim', () => {
    const text = 'The export probably runs on the old host.'
    expect(claimsOf(fact(text))).toEqual([`low_confidence: ${text}`])
  })
})
