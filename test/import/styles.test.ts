import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Reading } from '../../src/import/files/reading.ts'
import { readSource } from '../../src/import/read.ts'

async function read(tree: string): Promise<Reading> {
  return readSource(fileURLToPath(new URL(`./trees/${tree}`, import.meta.url)), { source: 'acme/till', git: false })
}

/** The fields that the tests compare, by file name. */
function summary(reading: Reading) {
  return Object.fromEntries(
    reading.items.map(({ file, decision }) => [
      file.split('/').at(-1),
      [
        decision.title,
        decision.status,
        decision.decided_at?.slice(0, 10),
        decision.supersedes.map((id) => id.split('/').at(-1)),
      ],
    ]),
  )
}

function decisionOf(reading: Reading, name: string) {
  const found = reading.items.find(({ file }) => file.endsWith(name))
  if (!found) throw new Error(`no ${name}`)
  return found.decision
}

const messages = (reading: Reading, name: string) =>
  reading.notes.filter(({ file }) => file.endsWith(name)).map(({ message }) => message)

describe('import of records in the style of Nygard', () => {
  it('reads titles, statuses, dates and links', async () => {
    const reading = await read('nygard')
    expect(summary(reading)).toEqual({
      '0001-keep-records.md': ['Keep records of decisions', 'accepted', '2021-03-01', []],
      '0002-store-orders-in-files.md': ['Store orders in files', 'accepted', '2021-03-04', []],
      '0003-number-orders-by-day.md': ['Number orders by day', 'accepted', '2021-03-09', []],
      '0004-store-orders-in-a-database.md': [
        'Store orders in a database',
        'accepted',
        '2021-06-11',
        ['0002-store-orders-in-files.md'],
      ],
      '0005-number-orders-by-shop.md': ['Number orders by shop', 'proposed', '2021-07-01', []],
      '0006-print-on-paper.md': ['Print on paper', 'deprecated', '2021-07-30', []],
      // the date 30/07 shows that in this folder the day comes first
      '0007-two-currencies.md': ['Two currencies', 'rejected', '2021-08-05', []],
    })
    expect(decisionOf(reading, '0004-store-orders-in-a-database.md').supersession_reason).toBe(
      'because two writers lost orders',
    )
    expect(messages(reading, '0006-print-on-paper.md')).toEqual([
      '"ADR-0099", named as the successor, is not among the files read: the link was ignored',
      'superseded, but its successor was not found: taken as deprecated',
    ])
  })

  it('keeps the text, and the file and URL of each record', async () => {
    const reading = await read('nygard')
    const decision = decisionOf(reading, '0001-keep-records.md')
    const id = `acme/till/${reading.items[0]?.file}`
    expect(id).toMatch(/doc\/adr\/0001-keep-records\.md$/)
    expect(decision).toMatchObject({
      external_id: id,
      judgment: 'We write one page for each decision.',
      context: 'New people ask why the ledger is built as it is.',
      consequences: 'Somebody has to write it.',
      category: 'architecture',
      surface: 'adr',
    })
    expect(decision.sources[0]).toMatchObject({ type: 'adr', id, provenance: { class: 'repo', path: id } })
  })

  it('stores an amendment as a source of both records, and supersedes neither', async () => {
    const reading = await read('nygard')
    const amended = decisionOf(reading, '0003-number-orders-by-day.md')
    expect(amended.sources.map(({ type, title }) => [type, title])).toEqual([
      ['adr', 'Number orders by day'],
      ['decision', 'Amended by: Number orders by shop'],
    ])
    expect(amended.context).toContain('Amended by: Number orders by shop')
    expect(decisionOf(reading, '0005-number-orders-by-shop.md').sources[1]?.title).toBe('Amends: Number orders by day')
  })

  it('reports templates, the README and files in other formats, and does not import them', async () => {
    const { notDecisions } = await read('nygard')
    expect(notDecisions.map(({ file, reason }) => [file.split('/').at(-1), reason])).toEqual([
      ['0008-old-format.textile', 'not read: only Markdown, reStructuredText and AsciiDoc are'],
      ['README.md', 'readme'],
      ['template.md', 'template'],
    ])
  })
})

describe('import of records in the style of MADR', () => {
  it('reads MADR 3 and 4: front matter, options, drivers, outcome', async () => {
    const reading = await read('madr')
    expect(summary(reading)).toEqual({
      '0001-cache-prices.md': ['Cache prices at the till', 'accepted', '2022-02-10', []],
      '0002-prices-in-cents.md': ['Keep prices in cents', 'accepted', '2022-02-12', []],
      '0003-price-service.md': ['A service for prices', 'accepted', '2022-05-01', ['0001-cache-prices.md']],
      '0004-minimal.md': ['Sell gift cards', 'accepted', undefined, []],
    })
    const decision = decisionOf(reading, '0001-cache-prices.md')
    expect(decision.decided_by).toEqual(['Ada Holm', 'Bo Lind'])
    expect(decision.entities).toEqual([
      { type: 'tag', name: 'prices' },
      { type: 'tag', name: 'speed' },
    ])
    expect(decision.context).toEqual({
      summary: expect.stringContaining('The till waits for prices.'),
      constraints: ['A sale never waits longer than a second', 'Nobody has to remember to refresh them'],
      alternatives: [
        { title: 'Ask each time', why_not: 'Always right, but slow.\n\n* Bad, because the line is slow' },
        { title: 'Print a list', why_not: '* Bad, because nobody reads it' },
      ],
    })
    expect(decision.judgment).toContain('because a sale must not wait')
    expect(decision.judgment).not.toContain('a day old')
    expect(decision.consequences).toContain('a price may be a day old')
    expect(decision.rationale).toContain('Good, because fast')
    expect(decisionOf(reading, '0002-prices-in-cents.md').decided_by).toEqual(['Ada Holm', 'Bo Lind'])
    expect(reading.notDecisions.map(({ reason }) => reason)).toEqual(['template', 'index'])
  })

  it('notes files without a status or a date', async () => {
    const reading = await read('madr')
    expect(messages(reading, '0004-minimal.md')).toEqual([
      'no date in the text, the file name or the git history: its date is the day of the import',
      'it states no status: taken as accepted',
    ])
  })

  it('reads MADR 2: bullets above, links below', async () => {
    const reading = await read('madr2')
    expect(summary(reading)).toEqual({
      '0001-use-queues.md': ['Use queues between shops', 'accepted', '2019-11-05', []],
      '0002-use-one-log.md': ['Use one log', 'accepted', '2020-01-15', ['0001-use-queues.md']],
    })
    const decision = decisionOf(reading, '0001-use-queues.md')
    expect(decision.decided_by).toEqual(['Ada Holm', 'Bo Lind'])
    expect(decision.consequences).toContain('No shop waits')
    expect(decision.consequences).toContain('Messages may come twice')
  })
})

it('reads log4brains: slugs, packages, dates in file names, records without a title', async () => {
  const reading = await read('log4brains')
  expect(summary(reading)).toEqual({
    '20200105-one-repository.md': ['One repository', 'accepted', '2020-01-05', []],
    '20200110-build-at-night.md': ['Build at night', 'accepted', '2020-01-10', []],
    '20200220-build-on-push.md': ['Build on push', 'accepted', '2020-02-20', ['20200110-build-at-night.md']],
    '20200301-test-the-till.md': ['Test the till', 'proposed', '2020-03-01', []],
  })
  expect(decisionOf(reading, '20200301-test-the-till.md').sources[1]?.title).toBe('Amended by: Build on push')
})

describe('import of records in other styles', () => {
  it('reads tables, quotes, emoji, bold and underlined headings, boxes, dates of folders', async () => {
    const reading = await read('shapes')
    expect(summary(reading)).toEqual({
      '0001-table.md': ['Metadata in a table', 'accepted', '2021-03-04', []],
      '0002-wide-table.md': ['Metadata across', 'accepted', '2021-03-05', []],
      '0003-quote.md': ['Metadata in a quote', 'accepted', '2021-03-06', ['0002-wide-table.md']],
      '0004-emoji-only.md': ['A status of emoji alone', 'rejected', undefined, []],
      '0005-headings-of-one-level.md': ['Headings of one level', 'accepted', '2021-04-02', []],
      '0006-setext.md': ['Lines below headings', 'deprecated', '2021-04-03', []],
      '0007-reference-links.md': ['Links by reference', 'accepted', '2021-04-04', []],
      '0008-states-over-time.md': ['States over time', 'accepted', '2021-04-05', ['0007-reference-links.md']],
      '0009-partly.md': ['A part of it', 'accepted', '2021-04-06', []],
      '0010-whole.md': ['The other part', 'accepted', '2021-04-07', []],
      '0011-checkboxes.md': ['Boxes', 'accepted', '2021-04-07', []],
      '0012-front-matter-alone.md': ['All in front', 'accepted', '2021-05-03', []],
      '0013-after.mdx': ['After it', 'accepted', '2021-06-03', ['0012-front-matter-alone.md']],
      '0014-two-of-one.md': ['Twice', 'accepted', '2021-06-04', []],
      '0015-one.md': ['One', 'accepted', '2021-06-05', ['0014-two-of-one.md']],
      '0016-other.md': ['Other', 'accepted', '2021-06-06', ['0014-two-of-one.md']],
      'README.md': ['By the sea', 'accepted', '2021-05-01', []],
    })
  })

  it('takes lines in bold as headings, and the whole text as the decision if there are no headings', async () => {
    const reading = await read('shapes')
    expect(decisionOf(reading, '0003-quote.md')).toMatchObject({
      context: 'Quotes stand out.',
      judgment: 'We use one.',
    })
    expect(decisionOf(reading, '0012-front-matter-alone.md')).toMatchObject({
      judgment: 'Passwords are changed by their owners alone.',
      category: 'security',
      decided_at: '2021-05-03T08:30:00.000Z',
    })
    expect(decisionOf(reading, '0001-table.md').decided_by).toEqual(['Ada Holm', 'Bo Lind'])
  })

  it('keeps a record in force that is superseded in part, and names the other record', async () => {
    const decision = decisionOf(await read('shapes'), '0009-partly.md')
    expect(decision.sources[1]?.title).toBe('Amended by: The other part')
  })
})

it('reads links in a line with several fields, links to a part of a record, and record codes such as DDR-008', async () => {
  const reading = await read('variants')
  expect(summary(reading)).toEqual({
    '0001-shelves.md': ['Shelves by colour', 'accepted', '2024-01-02', []],
    '0002-shelves-by-maker.md': ['Shelves by maker', 'accepted', '2024-02-03', ['0001-shelves.md']],
    '0003-opening-hours.md': ['Opening hours', 'accepted', '2024-02-04', []],
    '0004-sundays.md': ['Sundays', 'accepted', '2024-02-05', ['0005-holidays.md']],
    '0005-holidays.md': ['Holidays', 'accepted', '2024-01-20', []],
    'DDR-006-signs.md': ['Signs in the window', 'accepted', '2024-03-01', []],
    'DDR-007-windows.md': ['Windows', 'accepted', '2024-03-02', []],
    'DDR-008-doors.md': ['Doors', 'accepted', '2024-03-03', ['DDR-007-windows.md']],
  })
  expect(decisionOf(reading, '0003-opening-hours.md').sources[1]?.title).toBe('Amended by: Sundays')
  expect(decisionOf(reading, '0002-shelves-by-maker.md').sources[1]?.title).toBe('Amended by: Sundays')
  expect(decisionOf(reading, 'DDR-007-windows.md').sources[1]?.title).toBe('Amended by: Signs in the window')
  expect(reading.notes).toEqual([])
})

describe.each(['de', 'fr', 'es', 'pt', 'it', 'zh', 'ja', 'ko', 'ru'])('import of records in %s', (language) => {
  it('reads all parts of a record and the supersession', async () => {
    const reading = await read(`languages/${language}`)
    const [first, second] = reading.items.map(({ decision }) => decision)
    expect(reading.notes).toEqual([])
    expect(first).toMatchObject({ status: 'accepted', decided_at: '2021-03-03T00:00:00.000Z' })
    expect(first?.title).not.toMatch(/^\d/)
    for (const part of [first?.judgment, first?.context, first?.consequences]) expect(part).toMatch(/^\S.{4,60}$/u)
    expect(second).toMatchObject({ status: 'accepted', supersedes: [first?.external_id] })
  })
})
