import { describe, expect, it } from 'vitest'
import { summaryAbout, summaryOf } from '../../../src/context/brief/text/summary.ts'

const summary = (text: string, length = 280) => summaryOf(text, length)

describe('the summary of a text', () => {
  it('is the first whole sentences that fit', () => {
    const text = 'We use Redis. It is quick. It is also known to everybody who has ever been on call here.'
    expect(summary(text, 30)).toBe(text)
    expect(summary(text, 20)).toBe('We use Redis. It is quick.')
    expect(summary(`${text} ${'And so on. '.repeat(20)}`, 10)).toBe('We use Redis.')
  })

  it('joins wrapped lines, even before a capital letter or a bracket', () => {
    expect(
      summary(
        [
          'Services of the old provider that keep what they know in MongoDB and',
          'DynamoDB are moved to the new cluster in the order of their traffic, as',
          '(Maria agreed) the small ones show what is amiss. Each has its own database on',
          'AWS.',
        ].join('\n'),
        400,
      ),
    ).toBe(
      'Services of the old provider that keep what they know in MongoDB and DynamoDB are moved to the new cluster ' +
        'in the order of their traffic, as (Maria agreed) the small ones show what is amiss. ' +
        'Each has its own database on AWS.',
    )
  })

  it('tells an answer of one word, and no word that heads a list', () => {
    expect(summary('“Do we owe interest?” No.')).toBe('“Do we owe interest?” No.')
    expect(summary('Pros\n\nIt is cheap.')).toBe('It is cheap.')
  })

  it('keeps short lines apart', () => {
    expect(summary('Owner: Ada Byrne\nDeputy: Tom Falk\nPager: 4711')).toBe(
      'Owner: Ada Byrne. Deputy: Tom Falk. Pager: 4711',
    )
  })

  it('joins list items with semicolons and ends a cut list in an ellipsis', () => {
    const item = 'a reason that takes some forty characters'
    expect(summary(`It serves us:\n\n* ${item} one\n* ${item} two`)).toBe(`It serves us: ${item} one; ${item} two`)
    expect(summary(`It serves us:\n\n- ${item} one\n- ${item} two\n- ${item} three`, 40)).toBe(
      `It serves us: ${item} one …`,
    )
  })

  it('goes on with the list that it announces as far as there is room', () => {
    const item =
      'services that keep what they know in a database of the old provider, whatever it is, and however long they have been there; this includes those that nobody uses'
    const text = `They are moved in this order:\n\n- ${item}\n- ${item} too`
    expect(summary(text, 80)).toBe('They are moved in this order: services that keep what they know in a database…')
    // too little room for words of the list
    expect(summary(text, 40)).toBe('They are moved in this order…')
    expect(summary(`The old ones stay. ${text}`, 40)).toBe('The old ones stay.')
  })

  it('does not repeat the status, but tells the reason in its parentheses', () => {
    expect(summary('Status: Rejected (leads to conflicts)\n\nIt needs a test first.')).toBe(
      'leads to conflicts. It needs a test first.',
    )
    expect(summary('**Status**: accepted\n\nIt is quick.')).toBe('It is quick.')
    expect(summary('Status pages are served from Basel.')).toBe('Status pages are served from Basel.')
  })

  it('lists the rows of a table', () => {
    const table = '|Place|Range|\n|-----|:---:|\n|Berne|10.1.0.0/16|\n|Basle|10.2.0.0/16|'
    expect(summary(`Each office has a range:\n\n${table}`)).toBe(
      'Each office has a range: Berne: 10.1.0.0/16; Basle: 10.2.0.0/16',
    )
  })

  it('skips the discussion of options if the text later states the choice', () => {
    const weighed = 'We discussed two options:\n\n1. a queue for each tenant\n2. one queue for all of them\n\n'
    expect(summary(`${weighed}The second one is chosen, for it is simple.`)).toBe(
      'The second one is chosen, for it is simple.',
    )
    expect(summary(`${weighed}Both would work.`)).toContain('We discussed two options')
    expect(summary('We chose Redis among three options. We have decided to pay for it.')).toMatch(/^We chose Redis/)
  })

  it('does not end a sentence at an abbreviation', () => {
    expect(summary('It is found by its slug (ie. the name). It stays.', 20)).toBe(
      'It is found by its slug (ie. the name).',
    )
  })

  it('continues a sentence into the list that follows it', () => {
    expect(summary('We take tea, because\n\n* it is warm\n* it wakes us')).toBe(
      'We take tea, because it is warm; it wakes us',
    )
  })

  it('leaves out code blocks, headings, images and cross-references, and keeps inline code', () => {
    const text = [
      '## Decision',
      '![A map](map.png)',
      'Details are described below.',
      '',
      'The path is `/_health_<name>`, as [the guide](http://guide.test) says **plainly**.',
      '[guide]: https://guide.test/a',
      '[Other guide]: <../b.md> "Title"',
      '```sh',
      'curl http://127.0.0.1',
      '```',
      '~~~',
      'more code',
    ].join('\n')
    expect(summary(text)).toBe('The path is `/_health_<name>`, as the guide says plainly.')
  })

  it('is the beginning of the text if nothing else is left', () => {
    expect(summary('```\ncode alone\n```')).toBe('``` code alone ```')
    expect(summary('x'.repeat(1000), 20)).toHaveLength(100)
  })

  it('stays short for repetitive Markdown', () => {
    for (const piece of ['**', '[', '![', '<!--', '`', '|', '> ', '_a ', '- ', '<a ']) {
      expect(summary(piece.repeat(200_000)).length).toBeLessThan(400)
    }
  })
})

describe('the summary of a text in one line', () => {
  const first = 'The crane is blue. '
  const last = 'The mole leaks at high tide.'
  const about = (words: string, length: number) => summaryAbout([words], first + last, length)

  it('begins with the sentence that has the most words of the query', () => {
    expect(about('mole', 30)).toBe(last)
    expect(about('crane', 18)).toBe('The crane is blue.')
  })

  it('is the whole text if that is hardly longer', () => {
    expect(about('crane', 34)).toBe(first + last)
    expect(about('crane', 33)).not.toContain('tide')
  })
})
