import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readSource, streamSource } from '../../src/import/read.ts'
import { temporaryFolder } from '../support/clean-up.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('precedent-rows-')
})

async function read(name: string, text: string | Buffer) {
  writeFileSync(join(folder, name), text)
  return readSource(join(folder, name), { source: 'acme' })
}

const lines = (...values: unknown[]) =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')

describe('import of JSON Lines', () => {
  it('reads decisions, and makes an external_id from file and line if there is none', async () => {
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

  it.each([
    '2025-02-30T10:00:00+01:00',
    '2025-02-29T10:00:00-03:00',
    '2025-04-31T10:00+02:00',
    '2025-04-01T24:00:00+02:00',
  ])('refuses a date that does not exist: %s', async (decided_at) => {
    const { items, notes } = await read('all.jsonl', lines({ title: 'One', judgment: 'Yes.', decided_at }))
    expect(items).toEqual([])
    expect(notes.map(({ message }) => message).join()).toContain('decided_at')
  })

  it('reads the memories of an exported file', async () => {
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

  it('reads tasks by kind, or by a name without the fields of a decision, and keeps null only where it clears', async () => {
    const { tasks, notes } = await read(
      'tasks.jsonl',
      lines(
        { kind: 'task', name: 'One', external_id: 'T-1', due_at: '2027-01-01', project: null, status: null },
        { name: 'Two', parent_id: 'T-1', labels: ['a'] },
        { name: 'No task', title: 'Three' },
      ),
    )
    expect(tasks).toEqual([
      {
        ...{ file: 'tasks.jsonl', line: 1 },
        task: { name: 'One', external_id: 'T-1', due_at: '2027-01-01T00:00:00.000Z', project: null },
      },
      {
        ...{ file: 'tasks.jsonl', line: 2 },
        task: { name: 'Two', external_id: 'acme/tasks.jsonl#2', parent_id: 'T-1', labels: ['a'] },
      },
    ])
    expect(new Set(notes.map(({ line }) => line))).toEqual(new Set([3]))
  })

  it('reports invalid lines by line and field, and imports the others', async () => {
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
    const notObject =
      'the line was not imported: it is not a JSON object. Put one complete object on each line, such as {"title": …}.'
    expect(notes.map(({ line, message }) => [line, message])).toEqual([
      [1, notObject],
      [2, notObject],
      [3, expect.stringMatching(/^decidedAt: unknown field: /)],
      [4, 'judgment: is required: add it'],
      [5, 'kind: must be decision, memory or task, not "song"'],
    ])
  })

  it('reports blank records of an older store, and imports the others with their decisions', async () => {
    const { items, memories, notes } = await read(
      'old.jsonl',
      lines(
        { kind: 'fact', content: ' ' },
        { title: '\u200b', judgment: 'Yes.' },
        { title: 'One', judgment: 'Yes.', outcomes: [{ outcome_status: 'failed', outcome_notes: ' ' }] },
        { kind: 'fact', content: 'There are two shops.' },
      ),
    )
    expect(notes.map(({ line, message }) => [line, message])).toEqual([
      [1, 'content: must not be blank'],
      [2, 'title: must not be blank'],
    ])
    expect([items.map(({ line }) => line), memories.map(({ line }) => line)]).toEqual([[3], [4]])
  })

  it('accepts a byte order mark and CRLF, and reports a line that is too long', async () => {
    const long = JSON.stringify({ title: 'Long', judgment: 'x'.repeat(5 * 1024 * 1024) })
    const { items, notes } = await read(
      'odd.ndjson',
      `\uFEFF{"title":"A","judgment":"B"}\r\n${long}\r\n{"title":"C","judgment":"D"}`,
    )
    expect(items.map(({ line, decision }) => [line, decision.title])).toEqual([
      [1, 'A'],
      [3, 'C'],
    ])
    const message = 'the line was not imported: it is longer than 4 MiB. Split it, or shorten its texts.'
    expect(notes).toEqual([expect.objectContaining({ line: 2, message })])
  })

  it('returns rows one by one while the file is read', async () => {
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

describe('import of CSV', () => {
  it('reads a column for each field, lists separated by semicolons or as JSON, and objects as JSON', async () => {
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

  it('accepts semicolons or tabs as separators', async () => {
    const semicolons = await read('a.csv', 'title;judgment;decided_by\nOne;Yes;"Ada;Bo"\n')
    expect(semicolons.items[0]?.decision.decided_by).toEqual(['Ada', 'Bo'])
    const tabs = await read('b.tsv', 'title\tjudgment\nOne\tYes, indeed\n')
    expect(tabs.items[0]?.decision.judgment).toBe('Yes, indeed')
  })

  it('keeps characters outside of the basic plane, wherever a piece of the file ends', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => 'x'.repeat(at) + '🍞'.repeat(5_000))
    const { items } = await read('rows.csv', `title,judgment\n${texts.map((text) => `Bake,${text}\n`).join('')}`)
    expect(items.map(({ decision }) => decision.judgment)).toEqual(texts)
  })

  it('reports bad rows by line and unknown columns by name', async () => {
    const { items, notes } = await read('bad.csv', 'title,judgment,mood\nOne,Yes,fine\nTwo\n,No,\nThree,Yes,\n')
    expect(items.map(({ decision }) => decision.title)).toEqual(['One', 'Three'])
    expect(notes.map(({ line, message }) => [line, message])).toEqual([
      [1, 'column "mood" was not imported, because no field has this name. Rename it, or leave it out.'],
      [3, 'the row was not imported: it has 1 cell, and the header has 3. Quote cells that contain the separator.'],
      [4, 'title: is required: add it'],
    ])
  })

  it('stops with a note where the file is not CSV', async () => {
    const { items, notes } = await read(
      'broken.csv',
      `title,judgment\nOne,Yes\nTwo,"${'never closed '.repeat(500_000)}`,
    )
    expect(items).toHaveLength(1)
    expect(notes).toHaveLength(1)
    expect((await read('empty.csv', '')).notes).toHaveLength(1)
  })
})

it('refuses a path that cannot be imported, and says what to do', async () => {
  await expect(read('notes.pdf', 'x')).rejects.toThrow(
    'notes.pdf cannot be imported. Give a folder, or a .md, .rst, .adoc, .jsonl or .csv file.',
  )
  await expect(readSource(join(folder, 'nowhere'))).rejects.toThrow('nowhere does not exist. Check the path.')
})

it('says what to add to a memory without content and to a correction without a target', async () => {
  const { notes } = await read('memories.jsonl', lines({ kind: 'fact' }, { kind: 'correction', content: 'No.' }))
  expect(notes.map(({ line, message }) => [line, message])).toEqual([
    [1, 'content: is required: add it'],
    [2, 'corrects_memory_id: is required for a correction: name the memory that it corrects'],
  ])
})
