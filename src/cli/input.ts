/** Texts that are too long for an argument: `-` is standard input, and a decision may be a file. */
import { readFile, stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { Failure, usage } from './failure.ts'
import type { Session } from './session.ts'

/** The service takes no longer body. */
const mostBytes = 8 * 1024 * 1024

export const standardInput = '-'

/** The argument itself, or what comes in where it is `-`. `what` is how an empty one is told of. */
export async function textFrom(session: Session, argument: string, what: string): Promise<string> {
  const text = argument === standardInput ? await fromStandardInput(session) : argument
  // the line feed that a shell or an editor leaves at the end is not meant
  const given = text.replace(/(?:\r?\n)+$/, '')
  if (given.trim() === '') throw usage(`${what} is empty.`)
  return given
}

export async function textOfFile(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > mostBytes) throw tooLong(path)
    return decoded(await readFile(path), path)
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw usage(`${path} can't be read: ${code === 'ENOENT' ? 'there is no such file' : message}.`)
  }
}

export async function fromStandardInput({ terminal, signal }: Session): Promise<string> {
  const input: Readable & { isTTY?: boolean } = process.stdin
  if (input.isTTY) terminal.note('Reading from the terminal. End with Ctrl-D on a line of its own.')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of addAbortSignal(signal, input)) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length > mostBytes) throw tooLong('Standard input')
  }
  return decoded(Buffer.concat(chunks), 'Standard input')
}

function decoded(bytes: Buffer, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw usage(`${what} is not UTF-8.`)
  }
}

function tooLong(what: string): Failure {
  return usage(`${what} is longer than ${mostBytes / 1024 / 1024} MiB.`)
}
