import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readOperatorFile } from '../../config/operator-file.ts'
import { temporaryFolder } from '../support/clean-up.ts'
import { repository } from '../support/repository.ts'
import { flawsIn, settingsIn, written } from './operator.ts'

describe('a hostile or damaged operator’s file is refused', () => {
  it('if aliases would make it huge', () => {
    const laughs = ['a0: &a0 [lol]']
    for (let at = 1; at < 30; at += 1) laughs.push(`a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]`)
    const found = flawsIn(laughs.join('\n'))
    expect(found[0]).toBe('2:10 is an alias inside a value with an anchor: write it out.')
    expect(flawsIn(`a: &a x\nb: [${'*a, '.repeat(101)}]`)[0]).toContain('more than 100 aliases')
  })

  it('if an alias is inside its own anchor, or names none', () => {
    expect(flawsIn('executors: &a { b: *a }')).toEqual([
      '1:20 is an alias inside a value with an anchor: write it out.',
    ])
    expect(flawsIn('executors: *none')).toEqual(['1:12 names no anchor above it: correct the name after *.'])
  })

  it('if it is larger than 1 MiB', () => {
    expect(flawsIn('#'.repeat(1024 * 1024))).toEqual([])
    expect(flawsIn('# 2 MiB\n'.repeat(262_144))).toEqual([expect.stringMatching(/FILE, which is larger than 1024 KiB/)])
  })

  // the parser itself would end the process
  it.each([
    ['flow lists', '['.repeat(500_000), '1:21 is nested'],
    ['flow maps', '{a: '.repeat(200_000), '1:81 is nested'],
    ['lists in one line', '- '.repeat(400_000), '1:41 is nested'],
    ['complex keys', '? '.repeat(400_000), '1:41 is nested'],
    [
      'lines',
      Array.from({ length: 1400 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
      '102:1 is indented by more than 100 spaces: use fewer.',
    ],
  ])('if its %s are nested too deep', (_, content, sentence) => {
    expect(flawsIn(content)).toEqual([expect.stringContaining(sentence)])
  })

  it('if it has too many values', () => {
    expect(flawsIn(`a: [${'1,'.repeat(500_000)}]`)).toEqual([
      expect.stringContaining('is beyond what a file may contain'),
    ])
  })

  it('if a name stands twice, also among many', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => `a${at}: 1`).join('\n')
    expect(flawsIn(`${many}\na7: 2`)).toEqual(['20001:1 is a name that this map already has: leave one out.'])
    expect(flawsIn('policy: {}\n"policy": {}')).toEqual([expect.stringContaining('2:1')])
  })

  it.each(['__proto__: { default: allow }', 'executors: { __proto__: { type: process, command: [x] } }'])(
    'if it has the name __proto__: %s',
    (content) => {
      expect(flawsIn(content)).toEqual([expect.stringContaining('is a name that is not allowed: choose another.')])
      expect(({} as { default?: string }).default).toBeUndefined()
    },
  )

  it('unless other names of Object are only names', () => {
    const { executors } = settingsIn('executors: { constructor: { type: process, command: [x] } }')
    expect(executors.map(({ name }) => name)).toEqual(['constructor'])
    expect(flawsIn('constructor: 1\nto_string: 2')).toHaveLength(2)
  })

  it('if it has NUL bytes or other control characters', () => {
    expect(flawsIn('executors: {}\n# \0')).toEqual(['2:3 has a control character: remove it.'])
    expect(flawsIn('executors:\n  a: "\u001b[2J"')).toEqual(['2:7 has a control character: remove it.'])
  })

  it('if it is not UTF-8', () => {
    expect(flawsIn(Buffer.from([0x61, 0xff, 0xfe]))).toEqual([expect.stringContaining('is not UTF-8')])
    expect(flawsIn(Buffer.from('\ufeffexecutors: {}'))).toEqual([])
  })

  it('if it is indented with tabs', () => {
    expect(flawsIn('executors:\n\ta: {}')).toEqual(['2:1 is not valid YAML: Tabs are not allowed as indentation.'])
  })

  it('if a tag would create something else than plain values', () => {
    for (const tag of ['!!binary aGk=', '!!set {a}', '!!js/function x', '!mine x']) {
      expect(flawsIn(`executors: ${tag}`), tag).toEqual([expect.stringContaining('Tags are not supported')])
    }
  })

  it('if a name would act on a terminal, and never prints it', () => {
    const [found = ''] = flawsIn('"\\e[2J\\u202e": 1')
    expect(found).toContain('is not a field that is known here')
    expect(found).toMatch(/^[ -~]*$/)
  })
})

describe('what PRECEDENT_CONFIG names is refused', () => {
  const refusal = (path: string) => readOperatorFile(path, {}, [])

  it('if it does not exist, is a directory, or is no regular file', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    expect(refusal(join(folder, 'none.yaml'))).toEqual([
      `PRECEDENT_CONFIG names ${folder}/none.yaml, which does not exist: correct the path, or unset it.`,
    ])
    expect(refusal(join(folder, 'sub'))).toEqual([expect.stringContaining('is a directory: name the file in it.')])
    expect(refusal('/dev/zero')).toEqual([expect.stringContaining('is not a regular file')])
    expect(refusal(join(repository, 'package.json', 'x'))).toEqual([expect.stringContaining("can't be read (ENOTDIR)")])
  })

  it('if this user may not read it', () => {
    const path = written('executors: {}')
    chmodSync(path, 0)
    expect(asOrdinaryUser(() => refusal(path))).toEqual([
      `PRECEDENT_CONFIG names ${path}, which this user may not read: make it readable.`,
    ])
  })
})

/** root may read every file. */
function asOrdinaryUser<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
  }
}
