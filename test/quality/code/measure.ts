/**
 * `npm run quality -- code [FOLDER …]`: precision and recall of functions, classes and types, and the speed of parsing.
 * Without a folder on the samples, whose facts were written by hand. In folders on every file that a tool of its
 * language can read: the compilers of TypeScript and Java, the parsers of Python, Go, Ruby and PHP, as far as the machine
 * has them. The baseline of the speed is the parser alone, without symbols and chunks.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { grammarOf } from '../../../src/adapters/code-parser/child/grammars.ts'
import { parseFile } from '../../../src/adapters/code-parser/child/parse-file.ts'
import { languageOf } from '../../../src/adapters/code-parser/language-of.ts'
import { grammarFor } from '../../../src/adapters/code-parser/languages/languages.ts'
import { openCodeParser } from '../../../src/adapters/code-parser/parser.ts'
import type { CodeParser, ParsedFile } from '../../../src/ports/code-parser.ts'
import { sourceText } from '../../../src/text/source-text.ts'
import { type Row, row } from '../../bench/row.ts'
import { factsByHand, factsFound, sampleNames, samples, sharedCount } from './sample-facts.ts'
import { goTruth, javaTruth, phpTruth, pythonTruth, rubyTruth } from './truth/by-program.ts'
import { groupOf, type Truth } from './truth/truth.ts'
import { typescriptTruth } from './truth/typescript.ts'

const truths: Readonly<Record<string, Truth>> = {
  typescript: typescriptTruth,
  javascript: typescriptTruth,
  python: pythonTruth,
  java: javaTruth,
  go: goTruth,
  ruby: rubyTruth,
  php: phpTruth,
}
/** The goal of these languages; of the others .9. */
const best = new Set(['typescript', 'javascript', 'python', 'go', 'java'])
/** Files that are parsed at a time. */
const together = 8

interface Count {
  shared: number
  found: number
  true: number
}

export async function measureCode(folders: readonly string[], showMistakes: boolean): Promise<Row[]> {
  const parser = openCodeParser()
  try {
    if (folders.length === 0) return await bySamples(parser)
    const rows: Row[] = []
    for (const folder of folders) rows.push(...(await byTools(parser, resolve(folder), showMistakes)))
    return rows
  } finally {
    await parser.close()
  }
}

async function bySamples(parser: CodeParser): Promise<Row[]> {
  const counts = new Map<string, Count>()
  for (const name of sampleNames()) {
    const { language = '', symbols } = await parsed(parser, join(samples, name))
    const [facts, found] = [factsByHand(name), factsFound(name, symbols)]
    add(counts, language, { shared: sharedCount(facts, found), found: found.length, true: facts.length })
  }
  return accuracy('samples', counts)
}

async function byTools(parser: CodeParser, folder: string, showMistakes: boolean): Promise<Row[]> {
  const files = filesIn(folder)
  const started = performance.now()
  const all = await parsedTogether(parser, files)
  const seconds = (performance.now() - started) / 1_000
  const bytes = [...all].reduce((sum, [file, one]) => sum + (one.skipped === undefined ? statSync(file).size : 0), 0)
  const skipped = [...all.values()].filter((one) => one.skipped !== undefined)

  const counts = new Map<string, Count>()
  for (const [language, truth] of Object.entries(truths)) {
    const mine = [...all].filter(([, one]) => one.language === language && one.skipped === undefined)
    if (mine.length === 0) continue
    const facts = await truth(mine.map(([file]) => file))
    for (const [file, { symbols }] of mine) {
      const expected = facts.get(file)?.map(({ group, name, line }) => `${group} ${name} ${line}`)
      if (expected === undefined) continue
      const found = symbols.flatMap(({ kind, name, start }) => {
        const group = groupOf(kind)
        return group === undefined || (group === 'type' && language === 'python') ? [] : [`${group} ${name} ${start}`]
      })
      add(counts, language, { shared: sharedCount(expected, found), found: found.length, true: expected.length })
      if (showMistakes) showDifference(file, expected, found)
    }
  }
  const name = basename(folder)
  return [
    ...accuracy(name, counts),
    row(`code_${name}_files`, files.length, 'files', null),
    row(`code_${name}_skipped`, skipped.length, 'files', null),
    row(
      `code_${name}_symbols`,
      [...all.values()].reduce((sum, { symbols }) => sum + symbols.length, 0),
      'symbols',
      null,
    ),
    row(
      `code_${name}_chunks`,
      [...all.values()].reduce((sum, { chunks }) => sum + chunks.length, 0),
      'chunks',
      null,
    ),
    row(`code_${name}_speed`, bytes / 1e6 / seconds, 'MB/s', null),
    ...(await speedRows(
      name,
      [...all].flatMap(([file, one]) => (one.skipped === undefined ? [file] : [])),
    )),
  ]
}

/** By processor time of this process, because the child has a low priority. The second round counts: grammars are loaded. */
async function speedRows(name: string, files: readonly string[]): Promise<Row[]> {
  const texts = files.flatMap((path) => {
    const bytes = readFileSync(path)
    const language = grammarFor(languageOf(path) ?? '', path)
    return language ? [{ path, bytes, language, text: sourceText(bytes) ?? '' }] : []
  })
  const megabytes = texts.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6
  const [whole, alone] = [
    [0, 0],
    [0, 0],
  ]
  for (const round of [0, 1]) {
    whole[round] = await processorSeconds(async () => {
      for (const { path, bytes } of texts) await parseFile({ path, bytes, cpp: false })
    })
    alone[round] = await processorSeconds(async () => {
      for (const { text, language } of texts) (await grammarOf(language)).parser.parse(text)?.delete()
    })
  }
  const [ours, theirs] = [megabytes / (whole[1] as number), megabytes / (alone[1] as number)]
  return [row(`code_${name}_speed_of_a_core`, ours, 'MB/s', null, theirs)]
}

async function processorSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

async function parsedTogether(parser: CodeParser, files: readonly string[]): Promise<Map<string, ParsedFile>> {
  const result = new Map<string, ParsedFile>()
  const rest = files.values()
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (const file of rest) result.set(file, await parsed(parser, file))
    }),
  )
  return result
}

function parsed(parser: CodeParser, file: string): Promise<ParsedFile> {
  return parser.parse({ path: file, bytes: readFileSync(file) }, { cpp: false }, new AbortController().signal)
}

function add(counts: Map<string, Count>, language: string, more: Count): void {
  const { shared, found, true: real } = counts.get(language) ?? { shared: 0, found: 0, true: 0 }
  counts.set(language, { shared: shared + more.shared, found: found + more.found, true: real + more.true })
}

function accuracy(set: string, counts: ReadonlyMap<string, Count>): Row[] {
  return [...counts].flatMap(([language, { shared, found, true: real }]) => {
    const goal = { at_least: best.has(language) ? 0.98 : 0.9 }
    return [
      row(`code_${set}_${language}_precision`, found === 0 ? 1 : shared / found, `of ${found}`, goal),
      row(`code_${set}_${language}_recall`, real === 0 ? 1 : shared / real, `of ${real}`, goal),
    ]
  })
}

function showDifference(file: string, expected: readonly string[], found: readonly string[]): void {
  const missing = expected.filter((one) => !found.includes(one))
  const wrong = found.filter((one) => !expected.includes(one))
  if (missing.length + wrong.length === 0) return
  process.stderr.write(
    `${file}\n${[...missing.map((one) => `  - ${one}`), ...wrong.map((one) => `  + ${one}`)].join('\n')}\n`,
  )
}

/** Regular files, without those of other packages and of git. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(?:node_modules|\.git)\//.test(file.slice(folder.length)))
    .sort()
}
