/** What the text of a code search asks for: words, texts in quotes, and filters such as `lang:` and `-path:`. */
import { invalid } from '../../../problem.ts'
import { languageNamed } from '../languages.ts'

export interface Filters {
  /** Full names of repositories. */
  repos: string[]
  /** As the parser names them. */
  languages: string[]
  /** A folder, a file, the beginning of a path (places.ts), or a pattern with *, ** and ?. */
  paths: string[]
  /** Names, perhaps with containers (symbols/name.ts). */
  symbols: string[]
  /** Texts that a file holds, whatever their case. */
  texts: string[]
}

export interface CodeQuery {
  /** What is left: plain words. */
  words: string
  wanted: Filters
  unwanted: Filters
}

/** Of all kinds together. Each costs a look at each candidate. */
const mostFilters = 20
/** Of all patterns together: each adds to the ways in which a path may match, and every file is compared. */
const mostWildcards = 20

const fields: Record<string, keyof Filters> = {
  repo: 'repos',
  lang: 'languages',
  language: 'languages',
  path: 'paths',
  symbol: 'symbols',
}

/**
 * A dash, the name of a filter, and a text in quotes or a word. A quote that nothing closes is part of a word, and
 * `path::join` is code.
 */
const piece = /(-?)(?:(repo|lang|language|path|symbol):(?!:))?(?:"((?:\\"|[^"])+)"|(\S+))/giu

/** Throws invalid_request for more filters than a search may have, and for patterns that match in too many ways. */
export function parseCodeQuery(q: string): CodeQuery {
  const [wanted, unwanted] = [noFilters(), noFilters()]
  const words: string[] = []
  for (const [whole, dash, field, quoted, word] of q.matchAll(piece)) {
    const value = (quoted?.replaceAll('\\"', '"') ?? word ?? '').trim()
    const filter = field === undefined ? (quoted === undefined ? undefined : 'texts') : fields[field.toLowerCase()]
    if (filter === undefined || value === '') words.push(whole)
    else (dash === '' ? wanted : unwanted)[filter].push(filter === 'languages' ? languageNamed(value) : value)
  }
  const count = [wanted, unwanted].flatMap((side) => Object.values(side)).flat().length
  if (count > mostFilters) throw invalid('q', `has ${count} filters and texts in quotes: use at most ${mostFilters}`)
  assertPatterns('q', [...wanted.paths, ...unwanted.paths])
  return { words: words.join(' '), wanted, unwanted }
}

/** Throws invalid_request if the patterns of one search have too many wildcards together. */
export function assertPatterns(field: string, patterns: readonly string[]): void {
  const count = patterns.reduce((sum, pattern) => sum + (pattern.match(/\*+|\?/g)?.length ?? 0), 0)
  if (count > mostWildcards) throw invalid(field, `has ${count} wildcards: use at most ${mostWildcards}`)
}

function noFilters(): Filters {
  return { repos: [], languages: [], paths: [], symbols: [], texts: [] }
}
