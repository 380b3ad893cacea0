/**
 * The entries of repositories. Rows are only added: an attempt marks its rows with its generation, and they count once
 * that generation is in `published` of the repository. Of the rows of one path, the newest published one counts. So an
 * attempt that died, or lost against another, shows nothing and destroys nothing.
 */
import { createHash } from 'node:crypto'
import type { Audience, WorkspaceId } from '../../ids.ts'
import type { Skipped } from '../../ports/code-parser.ts'
import type { Collection } from '../../ports/documents.ts'

/** gone: the path does not exist any more. */
export type FileType = 'file' | 'directory' | 'symlink' | 'submodule' | 'gone'

export interface CodeFile {
  /** fileRowId */
  id: string
  workspace: WorkspaceId
  audience: Audience
  repository: string
  /** contentKey: the same for the same path and blob in each generation. Chunks and symbols name it. */
  content: string
  path: string
  /** The folder that holds it; '' is the root. The root itself has no row. */
  parent: string
  /** 1 for an entry of the root. */
  depth: number
  type: FileType
  /** 0: a folder. 1: anything else. Lists of a folder begin with its folders. */
  leaf: 0 | 1
  /** Bytes; null for folders and submodules. */
  size: number | null
  /** Object id; '' for folders and what is gone. */
  blob: string
  /** The id in code_blobs; null: never parsed, such as a link or an excluded file. */
  parsed: string | null
  language: string | null
  symbols: number
  /** Number of its chunks in the index. */
  chunks: number
  skipped: Skipped | null
  generation: number
}

/** The id of what is at one path of one repository: the same for the same path and the same parsed file. */
export function contentKey(repository: string, path: string, parsed: string): string {
  return createHash('sha256')
    .update(JSON.stringify([repository, path, parsed]))
    .digest('base64url')
    .slice(0, 27)
}

export function fileRowId(repository: string, path: string, generation: number): string {
  return `${contentKey(repository, path, '')}~${generation}`
}

/** The rows that count, one for each path. Rows of paths that are gone are left out. */
export function currentFiles<F extends Pick<CodeFile, 'path' | 'generation' | 'type'>>(
  rows: readonly F[],
  published: readonly number[],
): F[] {
  const counted = new Set(published)
  const newest = new Map<string, F>()
  for (const row of rows) {
    if (!counted.has(row.generation)) continue
    const other = newest.get(row.path)
    if (other === undefined || other.generation < row.generation) newest.set(row.path, row)
  }
  return [...newest.values()].filter(({ type }) => type !== 'gone')
}

export const codeFiles: Collection<CodeFile> = {
  name: 'code_files',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    repository: 'interned',
    content: 'string',
    path: 'string',
    parent: 'string',
    depth: 'integer',
    type: 'string',
    leaf: 'integer',
    size: 'integer',
    blob: 'string',
    parsed: 'string',
    language: 'string',
    symbols: 'integer',
    chunks: 'integer',
    skipped: 'string',
    generation: 'integer',
  },
  unique: [],
  indexes: [
    // the entries of a folder, and the rows of one path
    ['repository', 'parent', 'leaf', 'path', 'id'],
    ['repository', 'path', 'generation', 'id'],
    // of a hit
    ['workspace', 'content'],
    // what an attempt wrote
    ['repository', 'generation', 'id'],
    // whether a blob is still used
    ['parsed', 'id'],
  ],
}
