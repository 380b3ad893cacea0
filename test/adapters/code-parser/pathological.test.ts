import { beforeAll, describe, expect, it } from 'vitest'
import type { Skipped } from '../../../src/ports/code-parser.ts'
import { linesWithoutChunk, openedParser } from './open.ts'

let parser: ReturnType<typeof openedParser>
beforeAll(() => {
  parser = openedParser()
})

const lines = (line: string, count: number) => `${line}\n`.repeat(count)
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])

describe('files that are skipped', () => {
  const files: [what: string, path: string, content: string | Buffer, skipped: Skipped][] = [
    ['NUL bytes', 'a.ts', 'const a = 1\0\n', 'binary'],
    ['a picture', 'a.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'binary'],
    ['one line of 2 MB', 'a.js', 'a'.repeat(2_000_000), 'too_large'],
    ['600 KB of short lines', 'a.py', lines('x = 1', 100_000), 'too_large'],
    ['minified code', 'a.js', lines(`var a=${'1+'.repeat(5_000)}1;`, 3), 'minified'],
    [
      'a pointer of Git LFS',
      'a.ts',
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
      'lfs_pointer',
    ],
    ['another encoding', 'a.c', Buffer.from(Array.from({ length: 500 }, (_, at) => 0xb0 + (at % 60))), 'not_utf8'],
  ]
  it.each(files)('%s', async (_, path, content, skipped) => {
    expect(await parser.parseText(path, content)).toMatchObject({ skipped, symbols: [], chunks: [] })
  })
})

describe('files that are hard to parse', () => {
  const files: [what: string, path: string, content: string][] = [
    ['an empty file', 'a.ts', ''],
    ['only line feeds', 'a.ts', '\n\n\n'],
    ['10,000 nested brackets', 'a.ts', lines('('.repeat(100), 100) + lines(')'.repeat(100), 100)],
    ['10,000 open brackets', 'a.cpp', lines('{(['.repeat(100), 33)],
    ['nested arrays of Python', 'a.py', lines('['.repeat(100), 100)],
    ['1,000 nested functions', 'a.js', lines('function f() {', 1_000) + lines('}', 1_000)],
    ['2,000 nested classes', 'A.java', lines('class A {', 2_000)],
    ['an unterminated string', 'a.go', `package a\nvar s = "\n${lines('func f() {}', 500)}`],
    ['an unterminated raw string', 'a.rs', `fn f() { r#"\n${lines('fn f() {}', 5_000)}`],
    ['an unterminated heredoc', 'a.rb', `x = <<~A\n${lines('def f; end', 5_000)}`],
    ['an unterminated comment', 'a.c', `/*\n${lines('int f(void) {}', 5_000)}`],
    ['50,000 words without meaning', 'a.kt', lines('fun class val <<< >>> {{ (', 8_000)],
    ['templates of C++ that may be comparisons', 'a.cpp', lines(`a<${'b<'.repeat(60)}c>(d);`, 500)],
    ['2,000 conflict marks', 'a.swift', lines('<<<<<<< ours\nfunc f() {\n=======\n>>>>>>> theirs', 500)],
    ['8,000 constants', 'a.c', Array.from({ length: 8_000 }, (_, at) => `#define A${at} 1`).join('\n')],
    ['a long name', 'a.py', `def ${'a'.repeat(900)}():\n  pass\n`],
    ['only quotes', 'a.scala', lines(`"'"""'`, 1_000)],
    ['lone surrogates and control characters', 'a.php', '<?php function f\u0001() { "\ufffd\u202e" }\r\n\u2028'],
    ['many dollar quotes', 'a.sql', lines("create table a ($$ ; $b$ ' --", 5_000)],
  ]
  it.each(files)('%s', async (_, path, content) => {
    const parsed = await parser.parseText(path, content)
    expect([undefined, 'timeout']).toContain(parsed.skipped)
    if (parsed.skipped === undefined) expect(linesWithoutChunk(content, parsed)).toEqual([])
    expect(parsed.symbols.length).toBeLessThanOrEqual(10_000)
    for (const { name, container, signature, start, end } of parsed.symbols) {
      expect(name.length).toBeLessThanOrEqual(300)
      expect((container ?? '').length).toBeLessThanOrEqual(1_000)
      expect(signature.length).toBeLessThanOrEqual(300)
      expect(end).toBeGreaterThanOrEqual(start)
    }
    expect((await parser.parseText('b.ts', 'function after() {}')).symbols).toMatchObject([{ name: 'after' }])
  })
})

it('goes on after a file that breaks the grammar of YAML', async () => {
  const deep = Array.from({ length: 400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n')
  const parsed = await Promise.all(
    ['b.yml', 'deep.yml', 'c.yml'].map((path) => parser.parseText(path, path === 'deep.yml' ? deep : 'a:\n  b: 1\n')),
  )
  expect(parsed.map(({ skipped }) => skipped)).toEqual([undefined, 'failed', undefined])
})

describe('other encodings', () => {
  it('reads UTF-16 with a byte order mark', async () => {
    const { symbols } = await parser.parseText('a.ts', utf16('// äöü\nfunction wide() {}\n'))
    expect(symbols).toMatchObject([{ name: 'wide', start: 2, doc: 'äöü' }])
  })

  it('reads UTF-8 with a byte order mark', async () => {
    expect((await parser.parseText('a.cs', '\ufeffclass A {}\n')).symbols).toMatchObject([{ name: 'A', start: 1 }])
  })

  it('reads comments in Latin-1', async () => {
    const content = Buffer.from(
      '/* größer als vorher, für alle anderen Zahlen */\nint f(void) { return 1; }\n',
      'latin1',
    )
    const { symbols } = await parser.parseText('a.c', content)
    expect(symbols).toMatchObject([{ name: 'f', doc: 'größer als vorher, für alle anderen Zahlen' }])
  })
})
