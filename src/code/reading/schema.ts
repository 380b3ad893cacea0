/** Inputs and outputs of the four calls over repositories. */
import { z } from 'zod'
import { listFields, listOutput } from '../../access/list.ts'
import { symbolKinds } from '../../ports/code-parser.ts'
import { characters, text, uri } from '../../validation/schema.ts'
import { repositoryStates } from '../stored/repository.ts'

const fullName = () => text(1, 300)
const limit = (most: number, usual: number) => z.int().min(1).max(most).default(usual)
const cursor = z.string().max(5_000).exactOptional().describe('next_cursor of the page before, unchanged.')
const instant = z.string()
const commit = z.string().describe('Object id of the commit.')
const count = z.int().min(0)
const nextCursor = z.string().exactOptional()
const repositories = z.array(fullName()).min(1).max(50).exactOptional().describe('Only these repositories.')
const lines = z.object({ start: z.int().min(1), end: z.int().min(1) }).describe('1-based, both included.')
export type Lines = z.infer<typeof lines>
const coverage = z
  .object({ repos: count, behind: count })
  .describe('The visible repositories that were asked, and how many of them are not indexed yet, or not at their head.')

/** Why a file is not searched (ports/code-parser.ts). */
const reason = z.string()

export const listRepositoriesInput = z.strictObject({
  q: characters(1, 300).exactOptional().describe('A part of the full name.'),
  state: z
    .array(z.enum(repositoryStates))
    .min(1)
    .exactOptional()
    .describe('Only repositories in one of these states: pending has never been indexed.'),
  ...listFields,
})

export const repositoryItem = z.object({
  full_name: fullName(),
  default_branch: z.string().exactOptional(),
  head: z.object({ commit, at: instant }).nullable().describe('The newest commit of the remote that is known.'),
  indexed: z.object({ commit, at: instant }).nullable().describe('The commit that is served.'),
  state: z.enum(repositoryStates),
  error: z.string().exactOptional(),
  languages: z.record(z.string(), count).describe('Bytes by language.'),
  counts: z.object({ files: count, symbols: count, skipped: count }),
  url: uri,
})

export const listRepositoriesOutput = listOutput(repositoryItem)

export const treeInput = z.strictObject({
  repo_full_name: fullName().describe('Its name, such as acme/shop. The slash may be escaped.'),
  path: z.string().max(4_096).default('').describe('A folder or a file. Default: the root.'),
  depth: z.int().min(1).max(10).default(2).describe('1: only the entries of the folder itself.'),
  ref: text(1, 300).exactOptional().describe('The default branch, or the indexed commit.'),
  limit: limit(2_000, 500).describe('Entries of one page, at most.'),
  cursor,
})

export const treeOutput = z.object({
  repo: fullName(),
  commit,
  path: z.string(),
  entries: z.array(
    z.object({
      path: z.string(),
      type: z.enum(['file', 'directory', 'symlink', 'submodule']),
      size: count.exactOptional(),
      language: z.string().exactOptional(),
      symbols: count.exactOptional(),
      skipped: reason.exactOptional(),
    }),
  ),
  truncated: z.boolean(),
  next_cursor: nextCursor,
})

const language = z.string().min(1).max(50).exactOptional().describe('Such as typescript, or ts.')
const compact = z.boolean().default(false).describe('Small answers: only the first line of each snippet, and no doc.')

export const searchCodeInput = z.strictObject({
  q: characters(1, 2_000).describe(
    'Words; also "exact text", repo:, lang:, path:, symbol: with a name or Container.member, and - before any of them.',
  ),
  repo: repositories,
  language,
  path: z
    .string()
    .min(1)
    .max(4_096)
    .exactOptional()
    .describe(
      'A folder or a file. In a repository that has none of this name, the beginning of a path. Or a pattern with *, ** and ?.',
    ),
  limit: limit(50, 10).describe('Hits of one page, one for each file.'),
  compact,
  cursor,
})

export const searchCodeOutput = z.object({
  items: z.array(
    z.object({
      repo: fullName(),
      path: z.string(),
      commit,
      language: z.string().exactOptional(),
      symbol: z.string().exactOptional(),
      kind: z.enum(symbolKinds).exactOptional(),
      lines: lines.describe('Those of the snippet, at most 20: 1-based, both included.'),
      snippet: z.string().describe('These lines, each cut at 200 characters.'),
      score: z.number().min(0).max(1),
      url: uri,
    }),
  ),
  coverage,
  next_cursor: nextCursor,
})

export const findSymbolsInput = z
  .strictObject({
    name: text(1, 300).exactOptional().describe('Also Container/member or Container.member.'),
    match: z
      .enum(['exact', 'prefix', 'fuzzy'])
      .exactOptional()
      .describe('Default: exact, then prefix if nothing was found.'),
    kind: z.enum(symbolKinds).exactOptional().describe('Only definitions of this kind.'),
    repo: repositories,
    language,
    path: z
      .string()
      .min(1)
      .max(4_096)
      .exactOptional()
      .describe('A file of the one repo. Without name: all its definitions.'),
    limit: limit(50, 10).describe('Definitions of one page.'),
    compact,
    cursor,
  })
  .check((context) => {
    const { name, path, repo, match } = context.value
    const refuse = (field: string, message: string) =>
      context.issues.push({ code: 'custom', path: [field], message, input: context.value })
    if (name === undefined && path === undefined) refuse('name', 'is required, unless path names a file')
    if (path !== undefined && repo?.length !== 1)
      refuse('repo', 'must name the one repository that has the file of path')
    if (name === undefined && match !== undefined) refuse('match', 'tells how to find a name: send a name, or no match')
  })

export const findSymbolsOutput = z.object({
  items: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(symbolKinds),
      container: z.string().exactOptional(),
      repo: fullName(),
      path: z.string(),
      commit,
      lines,
      signature: z.string(),
      doc: z.string().exactOptional(),
      score: z.number().min(0).max(1).exactOptional(),
    }),
  ),
  coverage,
  next_cursor: nextCursor,
})

export type ListRepositoriesInput = z.infer<typeof listRepositoriesInput>
export type ListRepositoriesOutput = z.infer<typeof listRepositoriesOutput>
export type TreeInput = z.infer<typeof treeInput>
export type TreeOutput = z.infer<typeof treeOutput>
export type SearchCodeInput = z.infer<typeof searchCodeInput>
export type SearchCodeOutput = z.infer<typeof searchCodeOutput>
export type FindSymbolsInput = z.infer<typeof findSymbolsInput>
export type FindSymbolsOutput = z.infer<typeof findSymbolsOutput>
