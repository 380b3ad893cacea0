/**
 * The program of the child process: parses one file after the other, in the order in which they arrive. It ends when the
 * service closes the channel, also if the service was killed.
 */
import { setPriority } from 'node:os'
import type { ParsedFile } from '../../../ports/code-parser.ts'
import { languageOf } from '../language-of.ts'
import type { Request, Response } from '../messages.ts'
import { parseFile } from './parse-file.ts'

/** Nice value, of at most 19: requests of callers come first. */
const nice = 10
/**
 * Bytes. WebAssembly never gives memory back, so a process that holds more is replaced after the file it is parsing. All
 * grammars together need 250 MB.
 */
const mostHeld = 512 * 1024 * 1024

setPriority(nice)
let before: Promise<void> = Promise.resolve()
process.on('message', (request: Request) => {
  before = before.then(() => answer(request))
})
process.on('disconnect', () => process.exit())

let isOver = false

async function answer(request: Request): Promise<void> {
  if (isOver) return
  let parsed: ParsedFile
  try {
    parsed = await parseFile(request)
    isOver = process.memoryUsage.rss() > mostHeld
  } catch {
    // a trap of WebAssembly, or a heap that is full: the state of the parser is unknown
    const language = languageOf(request.path)
    parsed = { ...(language !== undefined && { language }), symbols: [], chunks: [], skipped: 'failed' }
    isOver = true
  }
  const response: Response = { id: request.id, parsed, isLast: isOver }
  process.send?.(response, () => {
    if (isOver) process.exit()
  })
}
