import { describe, expect, it } from 'vitest'
import { gistOf } from '../../../src/context/brief/gist.ts'

const gist = (text: string, length = 280) => gistOf(text, length)

describe('the gist of a text', () => {
  it('is its first sentences, whole, as long as there is room', () => {
    const text = 'We use Redis. It is quick. It is also known to everybody who has ever been on call here.'
    expect(gist(text, 30)).toBe(text)
    expect(gist(text, 20)).toBe('We use Redis. It is quick.')
    expect(gist(`${text} ${'And so on. '.repeat(20)}`, 10)).toBe('We use Redis.')
  })

  it('joins lines that their writer has wrapped, also before a capital or a sign', () => {
    expect(
      gist(
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

  it('leaves apart lines that their writer has ended', () => {
    expect(gist('Owner: Ada Byrne\nDeputy: Tom Falk\nPager: 4711')).toBe(
      'Owner: Ada Byrne. Deputy: Tom Falk. Pager: 4711',
    )
  })

  it('tells a list with semicolons, and that there is more of it', () => {
    const item = 'a reason that takes some forty characters'
    expect(gist(`It serves us:\n\n* ${item} one\n* ${item} two`)).toBe(`It serves us: ${item} one; ${item} two`)
    expect(gist(`It serves us:\n\n- ${item} one\n- ${item} two\n- ${item} three`, 40)).toBe(
      `It serves us: ${item} one; …`,
    )
  })

  it('tells a table by its rows', () => {
    const table = '|Place|Range|\n|-----|:---:|\n|Berne|10.1.0.0/16|\n|Basle|10.2.0.0/16|'
    expect(gist(`Each office has a range:\n\n${table}`)).toBe(
      'Each office has a range: Berne: 10.1.0.0/16; Basle: 10.2.0.0/16',
    )
  })

  it('begins with what was chosen where its writer begins with what was weighed', () => {
    const weighed = 'We discussed two options:\n\n1. a queue for each tenant\n2. one queue for all of them\n\n'
    expect(gist(`${weighed}The second one is chosen, for it is simple.`)).toBe(
      'The second one is chosen, for it is simple.',
    )
    expect(gist(`${weighed}Both would work.`)).toContain('We discussed two options')
    expect(gist('We chose Redis among three options. We have decided to pay for it.')).toMatch(/^We chose Redis/)
  })

  it('goes on in a list that its last word leads to', () => {
    expect(gist('We take tea, because\n\n* it is warm\n* it wakes us')).toBe(
      'We take tea, because it is warm; it wakes us',
    )
  })

  it('leaves out code, headings, pictures and where more is told; code in a line keeps its signs', () => {
    const text = [
      '## Decision',
      '![A map](map.png)',
      'Details are described below.',
      '',
      'The path is `/_health_<name>`, as [the guide](http://guide.test) says **plainly**.',
      '```sh',
      'curl http://127.0.0.1',
      '```',
      '~~~',
      'more code',
    ].join('\n')
    expect(gist(text)).toBe('The path is `/_health_<name>`, as the guide says plainly.')
  })

  it('is the beginning of the text where nothing else is left', () => {
    expect(gist('```\ncode alone\n```')).toBe('``` code alone ```')
    expect(gist('x'.repeat(1000), 20)).toHaveLength(100)
  })

  it('takes little time, whatever the text', () => {
    for (const piece of ['**', '[', '![', '<!--', '`', '|', '> ', '_a ', '- ', '<a ']) {
      expect(gist(piece.repeat(200_000)).length).toBeLessThan(400)
    }
  })
})
