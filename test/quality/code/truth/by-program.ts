/** Languages whose own tools are programs. A tool that is not on the machine says nothing of any file. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { repository } from '../../../support/repository.ts'
import type { Fact, Truth } from './truth.ts'

const folder = join(repository, 'test/quality/code/truth')
/** Bytes of output: some hundred for each fact. */
const maxBuffer = 1024 * 1024 * 1024

export const pythonTruth: Truth = async (files) => {
  const lines = linesOf('python3', ['python.py'], files)
  return new Map(
    lines.map((line) => {
      const { path, facts } = JSON.parse(line) as { path: string; facts: Fact[] }
      return [path, facts]
    }),
  )
}

/** The program prints a line for each file, and one for each fact: path, group, name and line between tabs. */
function tabbed(program: string, ...args: string[]): Truth {
  return async (files) => {
    const result = new Map<string, Fact[]>()
    for (const line of linesOf(program, args, files)) {
      const [path, group, name, number] = line.split('\t') as [string, Fact['group']?, string?, string?]
      const facts = result.get(path) ?? []
      result.set(path, facts)
      if (group !== undefined && name !== undefined) facts.push({ group, name, line: Number(number) })
    }
    return result
  }
}

export const javaTruth = tabbed('java', 'JavaTruth.java')
export const goTruth = tabbed('go', 'run', 'truth.go')
export const rubyTruth = tabbed('ruby', 'truth.rb')
export const phpTruth = tabbed('php', 'truth.php')

function linesOf(program: string, args: readonly string[], files: readonly string[]): string[] {
  const { stdout, stderr, status, error } = spawnSync(program, args, {
    cwd: folder,
    input: `${files.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer,
  })
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    process.stderr.write(`${program} is not on this machine, so its language is not measured\n`)
    return []
  }
  if (error || status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.slice(0, 500)}`)
  return stdout.split('\n').filter((line) => line !== '')
}
