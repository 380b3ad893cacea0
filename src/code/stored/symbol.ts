/**
 * Symbols by name. A row counts as long as its `content` is that of a file that counts (stored/file.ts): readers check
 * this.
 */
import type { Audience, WorkspaceId } from '../../ids.ts'
import type { CodeSymbol, SymbolKind } from '../../ports/code-parser.ts'
import type { Collection } from '../../ports/documents.ts'
import type { CodeFile } from './file.ts'

export interface CodeSymbolRow {
  /** `<content>~<index of the symbol in its blob>` */
  id: string
  workspace: WorkspaceId
  audience: Audience
  repository: string
  content: string
  path: string
  language: string
  name: string
  /** In lower case: exact by equality, prefix by range. */
  name_key: string
  kind: SymbolKind
  /** Names from outside to inside, joined by `/`. */
  container: string | null
  start: number
  end: number
  signature: string
  doc: string | null
  /** Of the newest attempt that wrote it. An older attempt does not delete it. */
  generation: number
}

export function symbolRow(file: CodeFile, symbol: CodeSymbol, index: number): CodeSymbolRow {
  const { workspace, audience, repository, content, path } = file
  return {
    id: `${content}~${index}`,
    workspace,
    audience,
    repository,
    content,
    path,
    language: file.language ?? '',
    name: symbol.name,
    name_key: symbol.name.toLowerCase(),
    kind: symbol.kind,
    container: symbol.container ?? null,
    start: symbol.start,
    end: symbol.end,
    signature: symbol.signature,
    doc: symbol.doc ?? null,
    generation: file.generation,
  }
}

export const codeSymbols: Collection<CodeSymbolRow> = {
  name: 'code_symbols',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    repository: 'interned',
    content: 'string',
    path: 'string',
    language: 'string',
    name: 'string',
    name_key: 'string',
    kind: 'string',
    container: 'string',
    start: 'integer',
    end: 'integer',
    signature: 'string',
    doc: 'string',
    generation: 'integer',
  },
  unique: [],
  indexes: [
    ['workspace', 'audience', 'name_key', 'id'],
    // a name in one repository
    ['repository', 'name_key', 'id'],
    ['repository', 'content', 'id'],
  ],
}
