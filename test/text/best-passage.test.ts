import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/text/analyzer.ts'
import { bestPassages } from '../../src/text/best-passage.ts'
import { passages } from '../../src/text/passages.ts'

async function bestPassage(text: string, terms: readonly string[]): Promise<string> {
  return (await bestPassages([text], terms))[0] as string
}

describe('the best passage', () => {
  const filler = 'Nothing of interest stands in this sentence. '.repeat(25)
  const text = `${filler}\n\n${filler}The queue retries twice. Then the queue gives up.\n\n${filler}A queue.`

  it('is the passage with the most terms', async () => {
    expect(await bestPassage(text, analyze('queue retry'))).toContain('The queue retries twice.')
    expect(text).toContain(await bestPassage(text, analyze('queue retry')))
  })

  it('is the first passage if none has a term, or without terms', async () => {
    expect(await bestPassage(text, analyze('elephant'))).toBe(filler.trim())
    expect(await bestPassage(text, [])).toBe(filler.trim())
  })

  it('is the passage with the terms that count most, not with the most terms', async () => {
    const gains = new Map([
      ['offic', 1],
      ['team', 1],
      ['mercuri', 5],
    ])
    const many = `${filler}The team works in the office.\n\n${filler}Mercury is poisonous.`
    expect((await bestPassages([many], gains))[0]).toContain('Mercury')
    expect((await bestPassages([many], [...gains.keys()]))[0]).toContain('office')
  })

  it('is empty only for a blank text', async () => {
    expect(await bestPassage('', ['queue'])).toBe('')
    expect(await bestPassage(' \n ', ['queue'])).toBe('')
    expect(await bestPassage(' . ', ['queue'])).toBe('.')
  })
  it('is the same as by segmenting every passage, in scripts with and without spaces', async () => {
    const words = [
      '会议',
      '天气',
      '公园',
      '今天',
      'queue',
      'retries',
      'The',
      '。',
      '\n\n',
      'データ',
      'テスト',
      'ไทย',
      'é',
      '２',
    ]
    const piece = fc.array(fc.constantFrom(...words), { minLength: 150, maxLength: 700 }).map((all) => all.join(' '))
    const query = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((all) => all.join(''))
    const one = fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 4 }), query, async (pieces, asked) => {
      const text = pieces.map((each, at) => (at % 2 === 0 ? each.replaceAll(' ', '') : each)).join('')
      expect(await bestPassage(text, analyze(asked))).toBe(bestByAll(text, analyze(asked)))
    })
    await fc.assert(one, { numRuns: 200, seed: 7 })
  })
})

/** The reference: the best passage without bounds and shortcuts. */
function bestByAll(text: string, terms: readonly string[]): string {
  const wanted = new Set(terms)
  let [best, most] = [passages(text)[0] ?? '', 0]
  for (const piece of passages(text)) {
    const found = analyze(piece).filter((token) => wanted.has(token))
    const worth = new Set(found).size + Math.min(found.length, 9999) / 10_000
    if (worth > most) [best, most] = [piece, worth]
  }
  return best
}
