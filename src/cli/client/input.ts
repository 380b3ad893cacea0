/** Reads texts that are too long for an argument: from standard input if the argument is `-`, or from a file. */
import { readFile, stat } from 'node:fs/promises'
import { addAbortSignal } from 'node:stream'
import { Failure, usage } from '../terminal/failure.ts'
import type { Session } from './session.ts'

/** Bytes. The service accepts no larger body. */
const mostBytes = 8 * 1024 * 1024

export const standardInput = '-'

/** The argument, or standard input if the argument is `-`. `what` names the text in the error if it is empty. */
export async function textFrom(session: Session, argument: string, what: string): Promise<string> {
  const text = argument === standardInput ? await fromStandardInput(session) : argument
  // shells and editors put a line feed at the end; it is not part of the text
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

export async function fromStandardInput({ host, terminal, signal }: Session): Promise<string> {
  if (host.stdin.isTTY) terminal.note('Reading the text from the terminal. To end it, press Ctrl-D on an empty line.')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of addAbortSignal(signal, host.stdin)) {
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
