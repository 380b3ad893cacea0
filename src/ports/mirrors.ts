/**
 * The mirrors port: bare shallow mirrors of the repositories that the operator connected. A mirror is disposable: all of
 * it can be fetched again. Nothing of a repository is ever run, and there is never a work tree (docs/repositories.md).
 */
export interface Mirrors {
  /**
   * Asks the remote, fetches its branch with depth 1, and returns its head. null: the repository is empty (no branch).
   * Rejects with MirrorError; then what was fetched before can still be read. May run twice at the same time, also in
   * two processes.
   */
  fetch(source: Source, signal: AbortSignal): Promise<Head | null>

  /**
   * All entries of a commit that was fetched, in the order of their paths' bytes. Streams: 100,000 files need no array.
   * Rejects with MirrorError; reason `missing`: the commit is not in the mirror, so fetch again.
   */
  entries(id: string, commit: string, signal: AbortSignal): AsyncIterable<TreeEntry>

  /**
   * The bytes of blobs, in the order asked. Without `bytes`: the blob is larger than `most`. Rejects with MirrorError;
   * reason `missing`: a blob is not in the mirror.
   */
  blobs(
    id: string,
    wanted: AsyncIterable<string> | Iterable<string>,
    most: number,
    signal: AbortSignal,
  ): AsyncIterable<Blob>

  /**
   * Paths that differ between two commits. undefined: list all, because one commit is not in the mirror any more, or a
   * name that is not UTF-8 has changed.
   */
  changed(id: string, from: string, to: string, signal: AbortSignal): Promise<ChangedPath[] | undefined>

  /**
   * The caller has moved on: only these commits are still read. Others may disappear an hour after they were fetched
   * last. Without this call a mirror only grows. Does little unless there is much to remove.
   */
  keep(id: string, commits: readonly string[], signal: AbortSignal): Promise<void>

  /** Removes the mirror. Nothing happens if there is none. */
  remove(id: string): Promise<void>

  /** The ids that have a mirror. */
  present(): Promise<string[]>
}

export interface Source {
  /** Stable key of the connected entry. It names the folder of the mirror (hashed). */
  id: string
  /** https://…, ssh://… or an absolute path, without credentials. */
  url: string
  /** The value of the token, never its name: `TOKEN` or `user:TOKEN`. Absent: none. Only for https. */
  token?: string
  /** Absent: the remote's HEAD. */
  branch?: string
}

export interface Head {
  branch: string
  /** 40 hexadecimal digits; 64 in a repository of SHA-256. */
  commit: string
  /** ISO instant of the commit. */
  at: string
}

export type EntryType = 'file' | 'executable' | 'symlink' | 'submodule'

export interface TreeEntry {
  /** Separated by '/'. May hold any character but NUL, also newlines. Bytes that are not UTF-8 are shown as U+FFFD. */
  path: string
  /** false: two entries may have the same `path`. */
  isUtf8: boolean
  type: EntryType
  /** The object id. Of a submodule: a commit of another repository. */
  blob: string
  /** Bytes; null for submodules. */
  size: number | null
}

export interface Blob {
  blob: string
  /** Bytes. */
  size: number
  bytes?: Uint8Array
}

export interface ChangedPath {
  path: string
  /** null: the path is gone. */
  entry: TreeEntry | null
}

export type MirrorTrouble =
  | 'unreachable'
  | 'unauthorised'
  | 'not_found'
  | 'branch_missing'
  | 'too_large'
  | 'timeout'
  | 'disk_full'
  /** What the repository asked for is not allowed, such as a redirect. */
  | 'refused'
  /** A commit or blob is not in the mirror. */
  | 'missing'
  /** git is not installed, or failed in another way. */
  | 'failed'

/** The message is for operators: a sentence without secrets, and without what the remote wrote. */
export class MirrorError extends Error {
  readonly reason: MirrorTrouble

  constructor(reason: MirrorTrouble, message: string) {
    super(message)
    this.name = 'MirrorError'
    this.reason = reason
  }
}
