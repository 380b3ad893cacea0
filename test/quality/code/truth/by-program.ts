/** Python and Java, by programs of their own. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from '../../../support/repository.ts'
import type { Fact, Truth } from './truth.ts'

const folder = join(repository, 'test/quality/code/truth')
/** Bytes of output: some hundred for each fact. */
const maxBuffer = 1024 * 1024 * 1024

export const pythonTruth: Truth = async (files) => {
  const lines = linesOf('python3', [join(folder, 'python.py')], files)
  return new Map(
    lines.map((line) => {
      const { path, facts } = JSON.parse(line) as { path: string; facts: Fact[] }
      return [path, facts]
    }),
  )
}

export const javaTruth: Truth = async (files) => {
  const result = new Map<string, Fact[]>()
  for (const line of linesOf('java', [join(folder, 'JavaTruth.java')], files)) {
    const [path, group, name, number] = line.split('\t') as [string, Fact['group']?, string?, string?]
    const facts = result.get(path) ?? []
    result.set(path, facts)
    if (group !== undefined && name !== undefined) facts.push({ group, name, line: Number(number) })
  }
  return result
}

function linesOf(program: string, args: readonly string[], files: readonly string[]): string[] {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer,
  })
  if (error || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.slice(0, 500)}`)
  return stdout.split('\n').filter((line) => line !== '')
}
