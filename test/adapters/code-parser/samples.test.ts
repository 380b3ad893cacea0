import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { factsByHand, factsFound, sampleNames, samples, sharedCount } from '../../quality/code/sample-facts.ts'
import { linesWithoutChunk, openedParser } from './open.ts'

let parser: ReturnType<typeof openedParser>
beforeAll(() => {
  parser = openedParser()
})

/** Facts that a grammar does not find: its version does not know the syntax. */
const unknown = new Map([
  ['sample.kt', 1],
  ['sample.swift', 1],
])

describe('samples of each language', () => {
  it.each(sampleNames())('finds what %s defines, and nothing else', async (name) => {
    const text = readFileSync(join(samples, name), 'utf8')
    const parsed = await parser.parseText(name, text)
    const [facts, found] = [factsByHand(name), factsFound(name, parsed.symbols)]
    const misses = unknown.get(name) ?? 0
    expect(sharedCount(facts, found)).toBeGreaterThanOrEqual(facts.length - misses)
    expect(sharedCount(facts, found)).toBeGreaterThanOrEqual(found.length - misses)
    expect(linesWithoutChunk(text, parsed)).toEqual([])
  })

  it('tells lines, signature and doc comment of a symbol', async () => {
    const text = `import x from 'x'\n\n/**\n * Adds two numbers, see {@link sum}.\n * @param a the first\n */\nexport async function add(\n  a: number,\n): Promise<number> {\n  return a\n}\n`
    const { symbols, chunks, language } = await parser.parseText('src/add.ts', text)
    expect(language).toBe('typescript')
    expect(symbols).toEqual([
      {
        name: 'add',
        kind: 'function',
        start: 7,
        end: 11,
        signature: 'export async function add( a: number, ): Promise<number>',
        doc: 'Adds two numbers, see sum. param a the first',
        docStart: 3,
      },
    ])
    expect(chunks).toEqual([
      { start: 1, end: 2 },
      { start: 3, end: 11, symbol: 0 },
    ])
  })

  it('a symbol begins with its decorators, and a Python docstring is its doc comment', async () => {
    const text = '# Not this one.\n\n@cache\n@other(\n  1,\n)\ndef f():\n    """Says hello."""\n    return 1\n'
    const { symbols } = await parser.parseText('a.py', text)
    expect(symbols).toMatchObject([{ name: 'f', start: 3, end: 9, signature: 'def f()', doc: 'Says hello.' }])
    expect(symbols[0]).not.toHaveProperty('docStart')
  })

  it.each([
    ['A.java', 'class A {', '  @Override public void NAME() {}'],
    ['a.ts', 'class A {', '  @Input() NAME() {}'],
    ['a.rs', 'impl A {', '  #[inline] fn NAME(&self) {}'],
    ['A.cs', 'class A {', '  [Fact] public void NAME() {}'],
    ['a.php', '<?php class A {', '  #[Test] public function NAME() {}'],
  ])('in %s a decorator or comment with code behind it belongs to its own line', async (path, first, line) => {
    const members = ['one', 'two', 'three'].map((name) => line.replace('NAME', name))
    const { symbols } = await parser.parseText(path, `${first}\n${members.join('\n')}\n  /* not of five */ int four;\n`)
    const found = symbols.filter(({ kind }) => kind !== 'class' && kind !== 'field')
    expect(found.map(({ name, start, doc }) => [name, start, doc])).toEqual([
      ['one', 2, undefined],
      ['two', 3, undefined],
      ['three', 4, undefined],
    ])
  })

  it('begins with all decorators above, also with several on one line', async () => {
    const text = 'class A {\n  before = 1\n  /** Says hello. */\n  @One @Two(\n    3)\n  f() {}\n}\n'
    const { symbols } = await parser.parseText('a.ts', text)
    expect(symbols.at(-1)).toMatchObject({ name: 'f', start: 4, docStart: 3, doc: 'Says hello.' })
  })

  it('takes no license, directive or trailing comment as a doc comment', async () => {
    const text =
      '// Copyright 2020 Acme\nfunction a() {}\n// eslint-disable-next-line\nfunction b() {}\nlet x = 1 // about x\nfunction c() {}\n'
    const { symbols } = await parser.parseText('a.js', text)
    expect(symbols.map(({ name, doc }) => [name, doc])).toEqual(['a', 'b', 'x', 'c'].map((name) => [name, undefined]))
  })

  it('parses a header as C, and as C++ in a repository with C++', async () => {
    const text = 'class Foo {\n public:\n  void bar();\n};\n'
    expect((await parser.parseText('foo.h', text, true)).symbols.map(({ name }) => name)).toEqual(['Foo', 'bar'])
    expect(await parser.parseText('foo.h', text, true)).toMatchObject({ language: 'cpp' })
    expect(await parser.parseText('foo.h', 'int bar(void);\n')).toMatchObject({
      language: 'c',
      symbols: [{ name: 'bar' }],
    })
  })

  it('finds names in a part that the grammar does not understand', async () => {
    const text = `class A {\n  ok() {}\n}\n<<<<<<< ours\nfunction broken( {{ ] =\n=======\n${'}) ( = [ '.repeat(20)}\nfunction after() {\n  return 1\n}\n`
    const names = (await parser.parseText('a.js', text)).symbols.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['A', 'ok', 'broken', 'after']))
  })

  it('divides a long function into windows that overlap, and a long class by its members', async () => {
    const body = Array.from({ length: 100 }, (_, at) => `  step(${at})`).join('\n')
    const text = `function long() {\n${body}\n}\nclass C {\n  one() {\n    return 1\n  }\n\n  two() {\n    return 2\n  }\n}\n`
    const parsed = await parser.parseText('a.js', text)
    expect(linesWithoutChunk(text, parsed)).toEqual([])
    const chunks = parsed.chunks.map(({ start, end, symbol }) => [start, end, parsed.symbols[symbol ?? -1]?.name])
    expect(chunks).toEqual([
      [1, 37, 'long'],
      [33, 69, 'long'],
      [65, 102, 'long'],
      [103, 103, 'C'],
      [104, 107, 'one'],
      [108, 111, 'two'],
    ])
  })

  it('divides a file without a grammar into windows', async () => {
    const text = Array.from({ length: 90 }, (_, at) => `Line ${at}.`).join('\n')
    const parsed = await parser.parseText('README.md', text)
    expect(parsed).toMatchObject({ language: 'markdown', symbols: [] })
    expect(linesWithoutChunk(text, parsed)).toEqual([])
    expect(parsed.chunks.length).toBe(3)
  })
})

describe('the language of a file', () => {
  it.each([
    ['a/b.ts', undefined, 'typescript'],
    ['a/Dockerfile', undefined, 'dockerfile'],
    ['bin/run', '#!/usr/bin/env -S python3 -u', 'python'],
    ['bin/run', '#!/bin/sh', 'bash'],
    ['bin/run', 'plain', undefined],
    ['a.unknown', '#!/bin/sh', undefined],
    ['constructor', undefined, undefined],
  ])('%s, first line %s: %s', (path, firstLine, language) => {
    expect(parser.languageOf(path, firstLine)).toBe(language)
  })
})
