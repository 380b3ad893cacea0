/** A folder of decision records, wherever it is: on this machine, in the mirror of a repository, or in a browser. */
import { utf16Of } from '../../text/source-text.ts'
import { mostDepth, mostFileBytes, mostFiles } from './bounds.ts'

export interface Walk {
  /** Paths from the folder, with `/`, sorted. */
  files: string[]
  notes: { file: string; message: string }[]
}

export interface Folder {
  /** `wanted` chooses files by their path. Wanted paths that are links or not regular files are noted, not read. */
  walk(wanted: (path: string) => boolean): Promise<Walk>
  /** The text of one file of the folder, or the reason why it is not read. */
  read(path: string): Promise<FileText>
}

export const tooMany = `too many files: no more than ${mostFiles} are read`
export const tooDeep = `folders deeper than ${mostDepth} are not read`
export const tooLarge = `larger than ${mostFileBytes / 1024 / 1024} MiB: not read`
export const symbolicLink = 'a symbolic link: not followed'
export const notRegular = 'not a regular file: not read'

export type FileText = { text: string; bytes: number; replaced: boolean } | { refused: string }

/** Decodes UTF-8, or UTF-16 if there is a byte order mark of it. */
export function decode(bytes: Uint8Array): FileText {
  const utf16 = utf16Of(bytes)
  const whole = utf16 === undefined ? bytes : bytes.subarray(0, bytes.length & ~1)
  // it replaces what is not of the encoding by U+FFFD
  const text = new TextDecoder(utf16).decode(whole)
  if (text.includes('\0')) return { refused: 'not a text file: it contains zero bytes' }
  return { text, bytes: bytes.length, replaced: text.includes('\uFFFD') }
}
