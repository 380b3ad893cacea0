/** Reads blobs: one process of git for all of them. */
import { type Blob, MirrorError } from '../../ports/mirrors.ts'
import { isObjectId } from './folders.ts'
import type { GitLimits } from './limits.ts'
import { type Git, startGit } from './process.ts'

/** Ids that are asked for at a time. What is asked must fit into a pipe, because the answers are not read meanwhile. */
const together = 64
/** Bytes. `<object> <type> <size>`, and more. */
const longestLine = 1024

/** See Mirrors.blobs(). */
export async function* blobsOf(
  git: Git,
  gitDir: string,
  wanted: AsyncIterable<string> | Iterable<string>,
  most: number,
  limits: GitLimits,
  signal: AbortSignal,
): AsyncGenerator<Blob> {
  const running = startGit(git, { args: ['cat-file', '--batch-command'], gitDir, timeMs: limits.readMs }, signal)
  const reader = readerOf(running.stdout)
  // an early end is explained by how git ended
  const read = async <Result>(work: Promise<Result | undefined>) => {
    const result = await work
    if (result !== undefined) return result
    await running.ended
    throw new MirrorError('failed', 'git ended too early')
  }
  try {
    for await (const ids of groupsOf(wanted)) {
      running.stdin.write(ids.map((id) => `info ${id}\n`).join(''))
      const sizes: number[] = []
      for (const _ of ids) sizes.push(sizeIn(await read(reader.line())))
      const small = ids.filter((_, at) => (sizes[at] as number) <= most)
      running.stdin.write(small.map((id) => `contents ${id}\n`).join(''))
      for (const [at, blob] of ids.entries()) {
        const size = sizes[at] as number
        if (size > most) {
          yield { blob, size }
          continue
        }
        sizeIn(await read(reader.line()))
        // the content ends with a line feed
        const bytes = await read(reader.bytes(size + 1))
        yield { blob, size, bytes: bytes.subarray(0, size) }
      }
    }
    running.stdin.end()
    await running.ended
  } finally {
    running.kill()
  }
}

async function* groupsOf(wanted: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let group: string[] = []
  for await (const id of wanted) {
    // it becomes a line of a command
    if (!isObjectId(id)) throw new MirrorError('missing', 'this is not the id of a blob')
    group.push(id)
    if (group.length < together) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

/** Of `<object> blob <size>`. */
function sizeIn(line: string): number {
  const [, type, size] = line.split(' ')
  if (type === 'blob') return Number(size)
  throw new MirrorError('missing', 'a blob is not in the mirror any more: fetch it again')
}

interface Reader {
  /** Without its end. undefined: the output has ended. */
  line(): Promise<string | undefined>
  bytes(length: number): Promise<Buffer | undefined>
}

function readerOf(output: AsyncIterable<Buffer>): Reader {
  const chunks = output[Symbol.asyncIterator]()
  let held: Buffer = Buffer.alloc(0)
  const next = async () => {
    const { value, done } = await chunks.next()
    return done ? undefined : (value as Buffer)
  }
  return {
    async line() {
      for (let end = held.indexOf('\n'); ; end = held.indexOf('\n')) {
        if (end !== -1) {
          const line = held.toString('latin1', 0, end)
          held = held.subarray(end + 1)
          return line
        }
        const more = held.length > longestLine ? undefined : await next()
        if (more === undefined) return undefined
        held = held.length === 0 ? more : Buffer.concat([held, more])
      }
    },
    async bytes(length) {
      const parts = [held]
      let arrived = held.length
      while (arrived < length) {
        const more = await next()
        if (more === undefined) return undefined
        parts.push(more)
        arrived += more.length
      }
      const all = parts.length === 1 ? held : Buffer.concat(parts)
      held = all.subarray(length)
      return all.subarray(0, length)
    },
  }
}
