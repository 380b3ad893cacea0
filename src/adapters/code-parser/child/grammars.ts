/** Loads grammars, each with the first file that needs it. */
import { createRequire } from 'node:module'
import { Language as Grammar, Parser, Query } from 'web-tree-sitter'
import type { Language } from '../languages/language.ts'

export interface LoadedGrammar {
  parser: Parser
  query: Query
}

const { resolve } = createRequire(import.meta.url)
const loading = new Map<string, Promise<LoadedGrammar>>()
let runtime: Promise<void> | undefined

export function grammarOf(language: Language): Promise<LoadedGrammar> {
  const known = loading.get(language.grammar)
  if (known !== undefined) return known
  const started = load(language)
  loading.set(language.grammar, started)
  return started
}

async function load({ grammar: file, query }: Language): Promise<LoadedGrammar> {
  runtime ??= Parser.init()
  await runtime
  const grammar = await Grammar.load(resolve(file))
  const parser = new Parser()
  parser.setLanguage(grammar)
  return { parser, query: new Query(grammar, `${query}\n(ERROR) @error`) }
}
