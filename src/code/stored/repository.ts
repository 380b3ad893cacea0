/**
 * What is known of each connected repository. All collections of src/code can be made again from the mirrors, so they
 * are in no backup (docs/repositories.md).
 */
import type { Audience, WorkspaceId } from '../../ids.ts'
import type { Skipped } from '../../ports/code-parser.ts'
import type { Collection } from '../../ports/documents.ts'

/** pending: never indexed. failed: the last attempt failed; a commit that was indexed before is still served. */
export const repositoryStates = ['pending', 'indexing', 'ready', 'failed'] as const
export type RepositoryState = (typeof repositoryStates)[number]

/** How many files were skipped, by reason. */
export type SkippedCounts = { [R in Skipped]?: number }

export interface CodeRepository {
  /** ConnectedRepository.id: another URL is another repository. */
  id: string
  workspace: WorkspaceId
  /** owner/name, as callers know it. */
  name: string
  /** nameKey */
  name_key: string
  audience: Audience
  /** Of the operator's file. It holds no credentials. */
  url: string
  /** Hash of what the index depends on besides the commit. If it changes, the repository is indexed from nothing. */
  settings: string
  state: RepositoryState
  /** A sentence for people, without secrets. null: the last attempt did not fail. */
  error: string | null
  branch: string | null
  /** The head of the remote at the last fetch; null: not fetched yet, or the repository is empty. */
  head: string | null
  head_at: string | null
  /** The commit that is served. null: none yet. */
  commit: string | null
  /** Instant of that commit. */
  commit_at: string | null
  indexed_at: string | null
  /** Since when a newest commit is known that is not served. null: the newest one is served. */
  behind_since: string | null
  /** The number of the newest attempt. Each attempt has its own, and marks its rows with it. */
  generation: number
  /**
   * The generation at which nothing was left that is not shown. If it differs from `generation`, attempts may have left
   * rows and search documents behind (indexing/leftovers.ts).
   */
  cleared: number
  /** Nobody else begins an attempt before this instant. '' in a repository that nobody works on. */
  claimed_until: string
  /** The version of the search index that has the documents of the served commit (reading/indexes.ts). */
  search_version: string
  /** Attempts that were completed, ascending: only their rows count (stored/file.ts). */
  published: number[]
  /** Bytes by language. */
  languages: Record<string, number>
  files: number
  symbols: number
  skipped: SkippedCounts
}

/** Two repositories of a workspace differ in more than upper and lower case. */
export function nameKey(name: string): string {
  return name.toLowerCase()
}

export const codeRepositories: Collection<CodeRepository> = {
  name: 'code_repositories',
  fields: {
    id: 'string',
    workspace: 'interned',
    name: 'string',
    name_key: 'string',
    audience: 'interned',
    url: 'string',
    settings: 'string',
    state: 'string',
    error: 'string',
    branch: 'string',
    head: 'string',
    head_at: 'instant',
    commit: 'string',
    commit_at: 'instant',
    indexed_at: 'instant',
    behind_since: 'instant',
    generation: 'integer',
    cleared: 'integer',
    claimed_until: 'string',
    search_version: 'string',
    published: 'json',
    languages: 'json',
    files: 'integer',
    symbols: 'integer',
    skipped: 'json',
  },
  unique: [],
  indexes: [
    ['workspace', 'name_key', 'id'],
    ['name_key', 'id'],
  ],
}
