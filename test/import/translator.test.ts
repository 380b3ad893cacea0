/** Files in other formats that the parser cannot read, or not in time. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { openTranslator, threadedTranslator } from '../../src/import/adr/translated/node-translator.ts'
import { mostCharacters, type Translator } from '../../src/import/adr/translated/translator.ts'
import { readSource } from '../../src/import/read.ts'
import { repository } from '../support/repository.ts'

/** The built file, because Node runs no TypeScript in a thread. `npm test` builds it first. */
const module = pathToFileURL(join(repository, 'dist/src/import/adr/translated/translate-thread.js'))
/** A regular expression of the parser takes hours for it. */
const slow = `:${'a'.repeat(19_000)}:\``

let translator: Translator
afterEach(() => translator.close())

describe('a thread', () => {
  it('gives the same result as the calling thread', async () => {
    translator = threadedTranslator(module)
    const text = 'Title\n=====\n\nText.\n'
    const translated = await translator.translate(text, 'rst')
    expect(translated).toEqual(await openTranslator().translate(text, 'rst'))
    expect(translated).toMatchObject({ markdown: '# Title\n\nText.\n' })
  })

  it('is stopped if a text takes too long, and reads the next text', async () => {
    translator = threadedTranslator(module, { limit: 500 })
    expect(await translator.translate(slow, 'rst')).toEqual({ refused: 'not read: the parser takes longer than 0.5 s' })
    translator = threadedTranslator(module)
    expect(await translator.translate('Text.\n', 'rst')).toMatchObject({ markdown: 'Text.\n' })
  })

  it('reads nothing more after six texts that took too long', async () => {
    translator = threadedTranslator(module, { limit: 50 })
    for (let count = 0; count < 6; count++) await translator.translate(slow, 'rst')
    expect(await translator.translate('Text.\n', 'rst')).toEqual({
      refused: 'not read: 6 other files took the parser too long',
    })
  })

  it('refuses a text that is nested too deep, and one on which the parser fails', async () => {
    translator = threadedTranslator(module)
    const deep = await translator.translate(`${'- '.repeat(5000)}a\n`, 'rst')
    expect(deep).toEqual({ refused: expect.stringContaining('the parser of reStructuredText failed (') })
    expect(await translator.translate('===  ===\na  b\n', 'rst')).toEqual({
      refused:
        'not read: the parser of reStructuredText failed (Reached end of input before finding simple table bottom border, near line 2)',
    })
    expect(await translator.translate('Text.\n', 'rst')).toMatchObject({ markdown: 'Text.\n' })
  })
})

it('refuses a long text and a long line without parsing them', async () => {
  translator = openTranslator()
  expect(await translator.translate('a\n'.repeat(mostCharacters), 'rst')).toEqual({
    refused: 'not read: it has more than 262144 characters',
  })
  expect(await translator.translate(`a\n${'b'.repeat(30_000)}\n`, 'rst')).toEqual({
    refused: 'not read: it has a line of more than 20000 characters',
  })
})

it('never rejects, whatever the text is', async () => {
  translator = openTranslator()
  const piece = fc.constantFrom(
    ...['Title', '=====', '-----', '* a', '  * b', '1. c', ':Status: x', '.. note::', '.. code::', '   d', '::'],
    ...['.. list-table::', '   * - e', '     - f', '+---+', '| g |', '==  ==', '.. _h:', '.. |i| replace:: |i|', '|i|'],
    ...[
      '`j`_',
      'k__',
      '__ l',
      '.. __: m',
      '[#]_',
      '.. [#] n',
      ':doc:`o <p>`',
      '**q',
      '``r',
      '\\',
      '\u0000',
      '\u2028',
      '🎉',
    ],
    ...[
      '= A',
      '== B',
      'NOTE: c',
      '|===',
      '|d |e',
      '----',
      '====',
      '____',
      '++++',
      'f:: g',
      '[#h]',
      '[[i]]',
      '. j',
      '** k',
    ],
    ...[
      '<<l>>',
      'xref:m.adoc[n]',
      'link:o[p]',
      ':q: r',
      '{q}',
      'image::s[]',
      'include::t[]',
      'ifdef::u[]',
      'endif::[]',
    ],
    ...[
      '[cols="1,2"]',
      'a|',
      '+',
      '<1>',
      '`+v+`',
      'w::',
      '// x',
      '////',
      '[source]',
      '[quote, y]',
      '.Z',
      'v1, 2024-01-02',
    ],
    ...['.. csv-table::', '   "s, t', '   :header: u', '.. adr::', '   :status: v', '..', '>>> w', '-x  y', '| z', ''],
  )
  const text = fc.oneof(
    fc
      .array(fc.tuple(piece, fc.constantFrom('\n', '\n\n', ' ', '\r\n', '\t')), { maxLength: 40 })
      .map((all) => all.flat().join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
  )
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('rst', 'adoc'), async (source, format) => {
      const translated = await translator.translate(source, format)
      if ('refused' in translated) expect(translated.refused).toMatch(/^not read: /)
      else expect(translated.lines).toHaveLength(translated.markdown.split('\n').length - 1)
    }),
    { numRuns: 1000 },
  )
})

it('notes name the line of the source', async () => {
  translator = openTranslator()
  const folder = mkdtempSync(join(tmpdir(), 'restructured-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'adr'))
  const record =
    '======\nTables\n======\n\n.. A comment.\n\n:Date: 2024-01-02\n\nStatus\n------\n\nWhimsical\n\nDecision\n--------\n\nYes.\n'
  writeFileSync(join(folder, 'adr/0001-tables.rst'), record)
  const { notes } = await readSource(join(folder, 'adr'), { source: 'acme', git: false })
  expect(notes).toEqual([
    { file: '0001-tables.rst', line: 12, message: 'the status "Whimsical" is not a known one: taken as proposed' },
  ])
})

it('reads one file alone', async () => {
  translator = openTranslator()
  const folder = mkdtempSync(join(tmpdir(), 'restructured-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, '0001-one.rst'),
    'One\n===\n\nStatus\n------\n\nAccepted\n\nDecision\n--------\n\nYes.\n\nContext\n-------\n\nIt.\n',
  )
  const { items } = await readSource(join(folder, '0001-one.rst'), { source: 'acme', git: false })
  expect(items.map(({ decision }) => [decision.title, decision.judgment])).toEqual([['One', 'Yes.']])
})
