/** Texts that would take quadratic time in a careless function. Twice the text must take about twice the time. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { statementsOf } from '../../src/claims/reading/statement.ts'
import { plainText } from '../../src/context/brief/text/plain-text.ts'
import { summaryOf } from '../../src/context/brief/text/summary.ts'
import type { NewRow } from '../../src/deciding/outcome.ts'
import { readFrontMatter } from '../../src/import/adr/document/front-matter.ts'
import { parseAdr } from '../../src/import/adr/parse.ts'
import { findingsOf } from '../../src/questions/raise/rules.ts'
import { normalisedHash } from '../../src/records/content-hash.ts'
import { titleFrom } from '../../src/records/title.ts'
import { analyze } from '../../src/text/analyzer.ts'
import { bestPassages } from '../../src/text/best-passage.ts'
import { passages } from '../../src/text/passages.ts'
import { ownWords, sentencesOf } from '../../src/text/sentences.ts'
import { costOf, heldBy } from '../support/blocked-thread.ts'

const signs = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).filter((sign) =>
  /[^a-z0-9]/i.test(sign),
)
const pieces = [
  ...signs.flatMap((sign) => [sign, `${sign} `, `a${sign}`, `${sign}\n`]),
  ...[
    '()',
    '[](',
    '![](',
    '[[',
    '](',
    '[a][',
    '*_',
    '**a ',
    '__a ',
    '~~a',
    '<!--',
    '-->',
    '<b ',
    '</b',
    '<a href=',
    '``',
    '“a ',
    '„',
    '«',
    '‘',
  ],
  ...[
    'a',
    'A',
    'a ',
    ' ',
    '\t',
    '\n',
    '\r\n',
    ' \n',
    'a\n',
    'lower case line\n',
    '- a\n',
    '1. a\n',
    '| a |\n',
    '---\n',
    '===\n',
    '> ',
    '# a\n',
  ],
  ...[
    '1',
    '1. ',
    '12 ',
    '2024-01-01 ',
    '1 of ',
    '10 days ',
    'not ',
    'is not ',
    'Why? ',
    '？',
    'We use ',
    'ADR-1 ',
    'https://a/?',
    '@a ',
  ],
  ...[
    '漢字',
    '字。',
    'カ',
    'ไทย',
    '👩‍👩‍👧 ',
    '\u200d',
    'e\u0301',
    '\u0301',
    'שלום ',
    '\u202e',
    'İ',
    '\u00a0',
    '\u2028',
  ],
]
const textOf = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/** ms. Shorter times show no growth: garbage collection alone can take as long. */
const least = 150

/**
 * The pieces for which ten times the text takes more than thirty times as long, or more than `most` ms. Those that seem
 * so are measured again after a while: what earlier tests left running in this process counts as processor time too.
 */
async function costly(read: (text: string) => unknown, length: number, most: number): Promise<string[]> {
  const isCostly = (piece: string) => {
    const long = textOf(piece, length)
    const cost = costOf(() => read(long), least)
    if (cost <= least) return false
    const short = textOf(piece, length / 10)
    return (
      cost > most ||
      cost >
        30 *
          Math.max(
            1,
            costOf(() => read(short), least),
          )
    )
  }
  let found = pieces.filter(isCostly)
  for (let tries = 0; tries < 5 && found.length > 0; tries++) {
    await setTimeout(500)
    found = found.filter(isCostly)
  }
  return found
}

const row = (text: string) =>
  ({
    kind: 'memory',
    status: 'accepted',
    audience: 'workspace',
    record_id: '00000000-0000-7000-8000-000000000001',
    title: text.slice(0, 300),
    text,
    ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_to: null, invalidated_at: null, confidence: null },
    ...{ significance: null, sources: [], topics: [], entities: [], body: { memory_kind: 'fact' } },
  }) as unknown as NewRow

describe('a text of 40,000 characters of one kind', () => {
  const length = 40_000
  const reads: [string, (text: string) => unknown][] = [
    ['sentences', sentencesOf],
    ['own words', ownWords],
    ['open questions', (text) => findingsOf(row(text))],
    ['statements', (text) => statementsOf({ title: text.slice(0, 300), text })],
    ['plain text', plainText],
    ['summary', (text) => summaryOf(text, 400)],
    ['title', titleFrom],
    ['hash of the content', (text) => normalisedHash([text])],
    ['passages', passages],
    ['tokens', analyze],
  ]
  it.each(reads)('the time to read its %s is proportional to its length', async (_, read) => {
    expect(await costly(read, length, 500)).toEqual([])
  })

  it('the time to find questions is proportional to the length if all sentences have 900 characters', async () => {
    const read = (text: string) => findingsOf(row(text.replace(/(.{900})/gs, '$1? X ')))
    expect(await costly(read, length, 1_000)).toEqual([])
  })
})

describe('the passages of one answer', () => {
  it('the time to choose the passages of an answer is limited for any number of long texts', async () => {
    const text = '会議の記録は毎週の公園で行う。'.repeat(30_000)
    const cost = async (count: number) => {
      const texts = Array.from({ length: count }, () => text)
      const { result, total } = await heldBy(() => bestPassages(texts, ['公園']))
      expect(result.every((one) => one.includes('公園'))).toBe(true)
      return total
    }
    await cost(10)
    expect(await cost(50)).toBeLessThan(4 * (await cost(10)))
  })
})

describe('a decision record of 2 MiB', () => {
  const size = 2 * 1024 * 1024
  /**
   * ms of processor time. Measured: up to 700 on an idle machine, and 7,000 on one whose memory others use. A step that
   * takes quadratic time needs minutes.
   */
  const most = 20_000
  const cases: [string, string][] = [
    ['60,000 options', `# T\n\n## Considered Options\n\n${textOf('- Option of many words\n', size - 100)}`],
    [
      'options with headings',
      `# T\n\n## Pros and Cons of the Options\n\n${textOf('### Option A\n\nText\n\n', size - 100)}`,
    ],
    ['comments that are not closed', `# T\n\n## Decision\n\n${textOf('<!--', size - 100)}`],
    ['empty lines', textOf('\n', size)],
    ['headings', textOf('# a\n', size)],
    ['sections of status', textOf('## Status\n\nAccepted\n\n', size)],
    ['lines of equals signs', textOf('=\n', size)],
    ['front matter that never ends', `---\n${textOf('a: ', 60_000)}\n---\n`],
    ['one table', `| a | b |\n|---|---|\n${textOf('| a | b |\n', size - 100)}`],
  ]
  it.each(cases)('a decision record of 2 MiB with %s is read to its end', (_, text) => {
    const read = () => expect(parseAdr(text).notes.length).toBeGreaterThan(0)
    expect(costOf(read, most)).toBeLessThan(most)
  })

  it('the notes of a record of 2 MiB say that options were left out', () => {
    const options = Array.from({ length: 300 }, (_, nth) => `- Option ${nth} is called ${nth}\n`).join('')
    const { options: found, notes } = parseAdr(`# T\n\n## Considered Options\n\n${options}`)
    expect(found).toHaveLength(50)
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining('too many options')])
  })

  it('the notes of a record of 2 MiB say that long front matter was read line by line', () => {
    const { fields, notes } = readFrontMatter(`---\nstatus: accepted\n${textOf('a: b\n', 20_000)}---\n`)
    expect(fields.get('status')?.values).toEqual(['accepted'])
    expect(notes.map(({ message }) => message)).toEqual([expect.stringContaining('line by line')])
  })
})
