import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/runs/worker/messages.ts'

const of = (value: object) => messageOf(JSON.stringify(value))

describe('a line of an executor', () => {
  it.each(['', 'text', '{ not json', '[1]', '{}', '{"type":"other"}', '"milestone"', 'null'])(
    'that is no message is output: %s',
    (line) => {
      expect(messageOf(line)).toBeUndefined()
    },
  )

  it('is a milestone, whose title and text are cut', () => {
    expect(of({ type: 'milestone', title: 'x'.repeat(600), text: 'y'.repeat(20_000), more: 1 })).toEqual({
      type: 'milestone',
      title: `${'x'.repeat(499)}…`,
      text: `${'y'.repeat(9_999)}…`,
    })
  })

  it('replaces half a surrogate pair, which no store returns unchanged', () => {
    expect(messageOf('{"type":"milestone","title":"a\\ud800b","data":{"x":"\\udc00"}}')).toEqual({
      type: 'milestone',
      title: 'a\ufffdb',
      data: { x: '\ufffd' },
    })
  })

  it('with a plan is never cut: too long a plan is none, and the reason says so', () => {
    expect(of({ type: 'plan', text: 'p'.repeat(50_000) })).toMatchObject({ steps: [] })
    expect(of({ type: 'plan', text: 'p'.repeat(50_001) })).toBe('plan: text must have at most 50000 characters')
    expect(of({ type: 'plan', text: 'p', steps: Array(101).fill('s') })).toMatch('steps')
  })

  it('with a result keeps what is valid of it', () => {
    const links = ['https://a.example', 7, '', 'x'.repeat(3_000), 'https://b.example']
    expect(of({ type: 'result', summary: 's', links, task_status: 'blocked' })).toEqual({
      type: 'result',
      summary: 's',
      links: ['https://a.example', 'https://b.example'],
      task_status: 'blocked',
    })
    expect(of({ type: 'result', summary: 's', links: 'https://a.example' })).toMatchObject({ summary: 's', links: [] })
    expect(of({ type: 'result', summary: 's', links: ['javascript:alert(1)', 'file:///etc'] })).toMatchObject({
      links: [],
    })
    // without the key: run.ended refuses one that is undefined
    expect(of({ type: 'result', summary: 's', task_status: 'in_review' })).toStrictEqual({
      ...{ type: 'result', summary: 's', links: [] },
    })
  })

  it('that nests too deeply is no message, however deep it is', () => {
    const nested = (levels: number) =>
      `{"type":"milestone","title":"t","data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
    expect(messageOf(nested(40))).toMatchObject({ title: 't' })
    for (const levels of [60, 5_000, 40_000]) expect(messageOf(nested(levels))).toMatch('nested')
  })

  it('with too much data is no milestone', () => {
    expect(of({ type: 'milestone', title: 't', data: { x: 'd'.repeat(8_192) } })).toMatch('8192 bytes')
  })
})
