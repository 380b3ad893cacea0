import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineSplitter } from '../../src/ports/lines.ts'

describe('lineSplitter', () => {
  it('gives the same lines however the bytes are divided', () => {
    const text = fc.array(fc.constantFrom('a', '中', '\n', '\r\n', '😀', 'long text '), { maxLength: 60 })
    fc.assert(
      fc.property(text, fc.infiniteStream(fc.nat({ max: 9 })), (parts, sizes) => {
        const bytes = Buffer.from(parts.join(''))
        const expected = parts.join('').split(/\r?\n/)
        if (expected.at(-1) === '') expected.pop()
        const splitter = lineSplitter('stderr')
        const lines = []
        for (let at = 0; at < bytes.length; ) {
          const size = sizes.next().value as number
          lines.push(...splitter.push(bytes.subarray(at, at + size)))
          at += size
        }
        lines.push(...splitter.end())
        expect(lines).toEqual(expected.map((line) => ({ text: line, from: 'stderr', isCut: false })))
      }),
    )
  })

  it('cuts a line at the bound between two characters, and drops the rest of it', () => {
    const splitter = lineSplitter('stdout', 5)
    const lines = ['中中', '中中\n12345\n', '123456', '\n', '', 'end too long'].flatMap((part) => [
      ...splitter.push(Buffer.from(part)),
    ])
    expect([...lines, ...splitter.end()].map(({ text, isCut }) => [text, isCut])).toEqual([
      ['中', true],
      ['12345', false],
      ['12345', true],
      ['end t', true],
    ])
  })

  it('says nothing at the end if the last line was complete', () => {
    const splitter = lineSplitter('stdout')
    expect([...splitter.push(Buffer.from('one\n')), ...splitter.end()].map(({ text }) => text)).toEqual(['one'])
  })
})
