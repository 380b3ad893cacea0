/** What the service and its child process say to each other. */
import type { ParsedFile } from '../../ports/code-parser.ts'

export interface Request {
  id: number
  path: string
  bytes: Uint8Array
  cpp: boolean
}

/** `isLast`: the child ends now, because its parser broke or it holds too much memory. Later requests get no answer. */
export interface Response {
  id: number
  parsed: ParsedFile
  isLast: boolean
}
