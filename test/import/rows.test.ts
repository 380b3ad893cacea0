import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readSource, streamSource } from '../../src/import/read.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'precedent-rows-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function read(name: string, text: string | Buffer) {
  writeFileSync(join(folder, name), text)
  return readSource(join(folder, name), { source: 'acme' })
}

const lines = (...values: unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')

describe('JSON lines', () => {
  it('are decisions, with an external_id of file and line where they have none', async () => {
    const { items, format, notes } = await read(
      'all.jsonl',
      lines({ title: 'One', judgment: 'Yes.', decided_at: '2024-05-01' }, '', {
        kind: 'decision',
        title: 'Two',
        judgment: 'No.',
        external_id: 'acme/two',
        rationale: null,
        decided_at: '2024-05-01T12:00:00+02:00',
      }),
    )
    expect(format).toBe('jsonl')
    expect(notes).toEqual([])
    expect(items.map(({ line, decision }) => [line, decision.external_id, decision.decided_at])).toEqual([
      [1, 'acme/all.jsonl#1', '2024-05-01T00:00:00.000Z'],
      [3, 'acme/two', '2024-05-01T10:00:00.000Z'],
    ])
  })

  it('are memories too, as an export writes them', async () => {
    const { items, memories } = await read(
      'export.jsonl',
      lines(
        { kind: 'memory', memory_kind: 'constraint', content: 'Never on Sundays.', topics: ['till'] },
        { kind: 'fact', content: 'There are two shops.' },
      ),
    )
    expect(items).toEqual([])
    expect(memories.map(({ line, memory }) => [line, memory.kind, memory.content])).toEqual([
      [1, 'constraint', 'Never on Sundays.'],
      [2, 'fact', 'There are two shops.'],
    ])
  })

  it('that are not valid are reported by line and field, and never stop the others', async () => {
    const { items, notes } = await read(
      'mixed.jsonl',
      lines(
        '{"title": "cut off',
        '[1]',
        { title: 'A', judgment: 'B', decidedAt: 'x' },
        { title: 'A' },
        { kind: 'song' },
        { title: 'Good', judgment: 'Yes.' },
      ),
    )
    expect(items.map(({ line }) => line)).toEqual([6])
    expect(notes.map(({ line, message }) => [line, message.split(':')[0]])).toEqual([
      [1, 'no JSON object'],
      [2, 'no JSON object'],
      [3, 'decidedAt'],
      [4, 'judgment'],
      [5, 'kind'],
    ])
  })

  it('may begin with a byte order mark, end in CRLF, and be too long', async () => {
    const long = JSON.stringify({ title: 'Long', judgment: 'x'.repeat(5 * 1024 * 1024) })
    const { items, notes } = await read(
      'odd.ndjson',
      `\uFEFF{"title":"A","judgment":"B"}\r\n${long}\r\n{"title":"C","judgment":"D"}`,
    )
    expect(items.map(({ line, decision }) => [line, decision.title])).toEqual([
      [1, 'A'],
      [3, 'C'],
    ])
    expect(notes).toEqual([expect.objectContaining({ line: 2, message: 'longer than 4 MiB: not read' })])
  })

  it('come one by one', async () => {
    writeFileSync(
      join(folder, 'many.jsonl'),
      Array.from({ length: 5000 }, (_, at) => JSON.stringify({ title: `T${at}`, judgment: 'J' })).join('\n'),
    )
    const { rows } = await streamSource(join(folder, 'many.jsonl'), { source: 'acme' })
    let seen = 0
    for await (const row of rows) {
      expect(row.kind).toBe('decision')
      if (++seen === 10) break
    }
    expect(seen).toBe(10)
  })
})

describe('CSV', () => {
  it('has a column a field, lists by semicolon or as JSON, objects as JSON', async () => {
    const { items, notes } = await read(
      'all.csv',
      [
        'Title,judgment,Decided At,decided_by,supersedes,context,sources,entities,visibility',
        'One,"Yes, on\ntwo lines",2024-05-01,Ada; Bo,"[""acme/x""]","{""summary"":""Why""}",https://example.org/a;ticket: T-1,person: Ada,private',
        'Two,No,,,,plain,,,',
      ].join('\n'),
    )
    expect(notes).toEqual([])
    expect(items[0]?.decision).toMatchObject({
      title: 'One',
      judgment: 'Yes, on\ntwo lines',
      decided_at: '2024-05-01T00:00:00.000Z',
      decided_by: ['Ada', 'Bo'],
      supersedes: ['acme/x'],
      context: { summary: 'Why' },
      sources: [
        { type: 'url', url: 'https://example.org/a' },
        { type: 'ticket', id: 'T-1' },
      ],
      entities: [{ type: 'person', name: 'Ada' }],
      visibility: { scope: 'private' },
      external_id: 'acme/all.csv#2',
    })
    expect(items[1]).toMatchObject({
      line: 4,
      decision: { title: 'Two', context: 'plain', external_id: 'acme/all.csv#4' },
    })
  })

  it('may be separated by semicolons or tabs', async () => {
    const semicolons = await read('a.csv', 'title;judgment;decided_by\nOne;Yes;"Ada;Bo"\n')
    expect(semicolons.items[0]?.decision.decided_by).toEqual(['Ada', 'Bo'])
    const tabs = await read('b.tsv', 'title\tjudgment\nOne\tYes, indeed\n')
    expect(tabs.items[0]?.decision.judgment).toBe('Yes, indeed')
  })

  it('reports bad rows by line and unknown columns by name', async () => {
    const { items, notes } = await read('bad.csv', 'title,judgment,mood\nOne,Yes,fine\nTwo\n,No,\nThree,Yes,\n')
    expect(items.map(({ decision }) => decision.title)).toEqual(['One', 'Three'])
    expect(notes.map(({ line, message }) => [line, message])).toEqual([
      [1, 'column "mood" is no field of a decision: its cells are left out'],
      [3, 'has 1 cells where the header has 3: not read'],
      [4, expect.stringContaining('title')],
    ])
  })

  it('ends with a note where it is no CSV', async () => {
    const { items, notes } = await read(
      'broken.csv',
      `title,judgment\nOne,Yes\nTwo,"${'never closed '.repeat(500_000)}`,
    )
    expect(items).toHaveLength(1)
    expect(notes).toHaveLength(1)
    expect((await read('empty.csv', '')).notes).toHaveLength(1)
  })
})

it('says what can be read where it is given something else', async () => {
  await expect(read('notes.pdf', 'x')).rejects.toThrow('is no folder, .md, .jsonl or .csv')
  await expect(readSource(join(folder, 'nowhere'))).rejects.toThrow('there is no')
})
