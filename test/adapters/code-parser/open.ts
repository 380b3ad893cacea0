/** The parser with its built child process. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openCodeParser } from '../../../src/adapters/code-parser/parser.ts'
import type { ParsedFile } from '../../../src/ports/code-parser.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { repository } from '../../support/repository.ts'

export const builtProgram = pathToFileURL(join(repository, 'dist/src/adapters/code-parser/child/program.js'))

export const never = new AbortController().signal

export function openedParser(options: { program?: URL; idleMs?: number; killAfterMs?: number } = {}) {
  const parser = openCodeParser({ program: builtProgram, ...options })
  cleanUp(() => parser.close())
  return {
    ...parser,
    parseText: (path: string, content: string | Uint8Array, cpp = false): Promise<ParsedFile> =>
      parser.parse({ path, bytes: typeof content === 'string' ? Buffer.from(content) : content }, { cpp }, never),
  }
}

/** Fails if a line is in no chunk, or if a chunk is outside of the file. */
export function linesWithoutChunk(text: string, { chunks }: ParsedFile): number[] {
  const count = text.split('\n').length - (text.endsWith('\n') || text === '' ? 1 : 0)
  const covered = new Set<number>()
  for (const { start, end } of chunks) for (let line = start; line <= end; line += 1) covered.add(line)
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((line) => !covered.has(line))
  return [...missing, ...[...covered].filter((line) => line < 1 || line > count)]
}
