/**
 * Finds symbols and chunks in source files. The parsing runs in a child process that starts on demand and ends when
 * idle, so a service without connected repositories loads nothing.
 */
export interface CodeParser {
  /** Raised when symbols or chunks of the same bytes change. Part of the key of a stored blob. */
  readonly version: string
  /**
   * Never throws for the content of a file: what could not be parsed says so in `skipped`. `hints.cpp`: the repository
   * has C++ files, so its `.h` files are C++. Rejects only if the signal is aborted, with its reason, or after close().
   */
  parse(file: SourceFile, hints: { cpp: boolean }, signal: AbortSignal): Promise<ParsedFile>
  /** By name and first line (shebang) only; undefined: none known. */
  languageOf(path: string, firstLine?: string): string | undefined
  /** Ends the child process. Parses under way reject. */
  close(): Promise<void>
}

export interface SourceFile {
  /** Separated by `/`. Only its last part is looked at. */
  path: string
  bytes: Uint8Array
}

export interface ParsedFile {
  /** Lower case, such as `typescript`; absent: none known. */
  language?: string
  /** In the order of their first lines. A symbol stands before those inside it. */
  symbols: CodeSymbol[]
  /** In the order of their first lines. Every line of a file that was not skipped is in one or more. */
  chunks: Chunk[]
  /** Why the file has neither symbols nor chunks. */
  skipped?: Skipped
}

export const symbolKinds = [
  'function',
  'method',
  'class',
  'interface',
  'type',
  'enum',
  'constant',
  'variable',
  'field',
  'module',
] as const

export type SymbolKind = (typeof symbolKinds)[number]

export interface CodeSymbol {
  name: string
  kind: SymbolKind
  /** Names from outside to inside, joined by `/`. Absent: at the top of the file. */
  container?: string
  /** First line, 1-based. With decorators, without the doc comment. */
  start: number
  /** Last line, inclusive. */
  end: number
  /** One line of at most 300 characters. */
  signature: string
  /** Plain words of the doc comment, at most 500 characters. */
  doc?: string
  /** First line of the doc comment, if it is above `start`. */
  docStart?: number
}

/** Lines of a file that are searched as one document. */
export interface Chunk {
  /** First line, 1-based. */
  start: number
  /** Last line, inclusive. */
  end: number
  /** Index in `symbols`; absent: a window of lines. */
  symbol?: number
}

/**
 * - `binary`: a NUL byte in the first 8 KB
 * - `too_large`: more than 512 KB
 * - `minified`: half of it is in lines of more than 1,000 characters
 * - `timeout`: parsing took more than 2 s of processor time
 * - `lfs_pointer`: the file itself is in Git LFS, not in the repository
 * - `not_utf8`: another encoding that could not be told
 * - `failed`: the parser broke on it
 */
export type Skipped = 'binary' | 'too_large' | 'minified' | 'timeout' | 'lfs_pointer' | 'not_utf8' | 'failed'
