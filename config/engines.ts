/** Which engine stands behind which port, and which combinations of engines and processes the service can run as. */
import { decoded } from '../src/text/decoded.ts'
import type { Environment } from './schema.ts'

/** What a process runs: everything, or one kind of worker beside others. */
export const processKinds = ['all', 'web', 'apply', 'index', 'maintain'] as const
export type ProcessKind = (typeof processKinds)[number]

export interface Engines {
  /** undefined: SQLite in the data directory. */
  mongodb: { url: string } | undefined
  /** undefined: in the process; workers that run beside others then live by polling. */
  redis: { url: string; prefix: string } | undefined
  /** undefined: SQLite in the data directory. */
  elasticsearch: { url: string; prefix: string; apiKey: string | undefined } | undefined
  /** undefined: search is by words alone. */
  embedder: EmbedderSettings | undefined
}

export interface EmbedderSettings {
  /** Up to what `/embeddings` is appended to. */
  url: string
  model: string
  apiKey: string | undefined
  /** undefined: as many as the model has. */
  dimensions: number | undefined
  /** Before each text of a kind. */
  prefixes: { record: string; query: string }
}

export function enginesOf(all: Environment): Engines {
  const prefix = all.PRECEDENT_PREFIX
  return {
    mongodb: all.MONGODB_URL === undefined ? undefined : { url: all.MONGODB_URL },
    redis: all.REDIS_URL === undefined ? undefined : { url: all.REDIS_URL, prefix },
    elasticsearch:
      all.ELASTICSEARCH_URL === undefined
        ? undefined
        : { url: all.ELASTICSEARCH_URL, prefix, apiKey: all.ELASTICSEARCH_API_KEY },
    embedder: embedderOf(all),
  }
}

function embedderOf(all: Environment): EmbedderSettings | undefined {
  const { PRECEDENT_EMBEDDER_URL: url, PRECEDENT_EMBEDDER_MODEL: model } = all
  if (url === undefined || model === undefined) return undefined
  return {
    url,
    model,
    apiKey: all.PRECEDENT_EMBEDDER_API_KEY,
    dimensions: all.PRECEDENT_EMBEDDER_DIMENSIONS,
    prefixes: {
      record: all.PRECEDENT_EMBEDDER_RECORD_PREFIX ?? '',
      query: all.PRECEDENT_EMBEDDER_QUERY_PREFIX ?? '',
    },
  }
}

/** Several processes can run on these engines: nothing that the workers share lies in a directory. */
export function areShared({ mongodb, elasticsearch }: Pick<Engines, 'mongodb' | 'elasticsearch'>): boolean {
  return mongodb !== undefined && elasticsearch !== undefined
}

const urls = ['MONGODB_URL', 'REDIS_URL', 'ELASTICSEARCH_URL'] as const

/** A sentence for each thing that cannot be run as it is set: why, and what to do. */
export function refusals(all: Environment, kind: ProcessKind): string[] {
  const unset = urls.filter((name) => all[name] === undefined)
  const sentences: string[] = []
  if (all.PRECEDENT_PROFILE === 'scaled' && unset.length > 0) {
    sentences.push(
      `PRECEDENT_PROFILE=scaled runs on MongoDB, Redis and Elasticsearch, but ${listed(unset)} not set: ` +
        'set what is missing, or leave PRECEDENT_PROFILE unset, so that each engine is chosen by its URL.',
    )
  }
  const missing = unset.filter((name) => name !== 'REDIS_URL')
  if (kind !== 'all' && missing.length > 0) {
    sentences.push(
      `A process that runs ${kind} alone shares its data with the others, but ${listed(missing)} not set. ` +
        'Separate processes need MongoDB and Elasticsearch, and Redis or else polling alone; every other combination ' +
        'is all kinds in one process that holds a lock on the data directory: set what is missing, or run `npm start`.',
    )
  }
  if (all.ELASTICSEARCH_API_KEY !== undefined && all.ELASTICSEARCH_URL === undefined) {
    sentences.push('ELASTICSEARCH_API_KEY is set, but ELASTICSEARCH_URL is not: set that too, or unset the key.')
  }
  if (all.ELASTICSEARCH_API_KEY !== undefined && passwordsIn(all.ELASTICSEARCH_URL).length > 0) {
    sentences.push(
      'ELASTICSEARCH_API_KEY is set, and ELASTICSEARCH_URL has a user and password: leave one of them out.',
    )
  }
  return [...sentences, ...embedderRefusals(all)]
}

const ofEmbedder = [
  'PRECEDENT_EMBEDDER_MODEL',
  'PRECEDENT_EMBEDDER_API_KEY',
  'PRECEDENT_EMBEDDER_DIMENSIONS',
  'PRECEDENT_EMBEDDER_RECORD_PREFIX',
  'PRECEDENT_EMBEDDER_QUERY_PREFIX',
] as const

function embedderRefusals(all: Environment): string[] {
  if (all.PRECEDENT_EMBEDDER_URL === undefined) {
    const set = ofEmbedder.filter((name) => all[name] !== undefined)
    if (set.length === 0) return []
    return [`${listed(set)} set, but PRECEDENT_EMBEDDER_URL is not: set that too, or unset what is set without it.`]
  }
  if (all.PRECEDENT_EMBEDDER_MODEL !== undefined) return []
  return ['PRECEDENT_EMBEDDER_URL is set, but PRECEDENT_EMBEDDER_MODEL is not: set the name of the model.']
}

/** A password as short as a word may be one: it is looked for only where it stands in a URL. */
const longerThanWords = 12

/** Texts that must never be shown: keys, and the passwords in URLs, as they are written and as they are meant. */
export function secretsOf(all: Environment): string[] {
  const passwords = urls.flatMap((name) => passwordsIn(all[name])).flatMap((written) => [written, decoded(written)])
  const keys = [all.ELASTICSEARCH_API_KEY, all.PRECEDENT_EMBEDDER_API_KEY, all.PRECEDENT_BOOTSTRAP_KEY].filter(
    (key) => key !== undefined,
  )
  const bare = passwords.filter((password) => password.length >= longerThanWords)
  return [...new Set([...keys, ...bare, ...passwords.map((password) => `:${password}@`)])]
}

/** The password of a URL, as it is written there; none or one. */
function passwordsIn(url: string | undefined): string[] {
  const password = /^[a-z+]+:\/\/[^/?#@:]*:([^/?#]+)@/.exec(url ?? '')?.[1]
  return password === undefined ? [] : [password]
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]} is` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`
}
