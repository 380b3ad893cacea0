/** Chooses the engine behind each port, and refuses combinations that can't run. */
import { decoded } from '../src/text/decoded.ts'
import type { ProcessKind } from './processes.ts'
import type { Environment } from './schema.ts'

export interface Engines {
  /** undefined: SQLite in the data directory. */
  mongodb: { url: string } | undefined
  /** undefined: a queue in the process. Workers in other processes then poll. */
  redis: { url: string; prefix: string } | undefined
  /** undefined: SQLite in the data directory. */
  elasticsearch: { url: string; prefix: string; apiKey: string | undefined } | undefined
  /** undefined: search uses words only. */
  embedder: EmbedderSettings | undefined
  /** undefined: claims are compared by rules only. */
  judge: JudgeSettings | undefined
}

export interface JudgeSettings {
  /** The base url; `/chat/completions` is appended. */
  url: string
  model: string
  apiKey: string | undefined
}

export interface EmbedderSettings {
  /** The base url; `/embeddings` is appended. */
  url: string
  model: string
  apiKey: string | undefined
  /** undefined: the model's default. */
  dimensions: number | undefined
  /** Text to put before each text of a kind. */
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
    judge: judgeOf(all),
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

function judgeOf(all: Environment): JudgeSettings | undefined {
  const { PRECEDENT_JUDGE_URL: url, PRECEDENT_JUDGE_MODEL: model } = all
  return url === undefined || model === undefined ? undefined : { url, model, apiKey: all.PRECEDENT_JUDGE_API_KEY }
}

/** Whether several processes can share these engines, because no data is in a local directory. */
export function areShared({ mongodb, elasticsearch }: Pick<Engines, 'mongodb' | 'elasticsearch'>): boolean {
  return mongodb !== undefined && elasticsearch !== undefined
}

const urls = ['MONGODB_URL', 'REDIS_URL', 'ELASTICSEARCH_URL'] as const

/** One sentence for each setting that can't work: the reason and the remedy. */
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
      `A separate ${kind} process needs MongoDB and Elasticsearch, but ${listed(missing)} not set: ` +
        'set what is missing, or run all kinds in one process with `npm start`.',
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
  return [...sentences, ...modelRefusals(all, 'EMBEDDER', ofEmbedder), ...modelRefusals(all, 'JUDGE', ofJudge)]
}

const ofEmbedder = [
  'PRECEDENT_EMBEDDER_MODEL',
  'PRECEDENT_EMBEDDER_API_KEY',
  'PRECEDENT_EMBEDDER_DIMENSIONS',
  'PRECEDENT_EMBEDDER_RECORD_PREFIX',
  'PRECEDENT_EMBEDDER_QUERY_PREFIX',
] as const

const ofJudge = ['PRECEDENT_JUDGE_MODEL', 'PRECEDENT_JUDGE_API_KEY'] as const

/** For an endpoint with a model. `names`: its settings other than the URL. */
function modelRefusals(all: Environment, which: 'EMBEDDER' | 'JUDGE', names: readonly (keyof Environment)[]): string[] {
  const [url, model] = [`PRECEDENT_${which}_URL`, `PRECEDENT_${which}_MODEL`] as const
  if (all[url] === undefined) {
    const set = names.filter((name) => all[name] !== undefined)
    if (set.length === 0) return []
    return [`${listed(set)} set, but ${url} is not: set that too, or unset what is set without it.`]
  }
  return all[model] === undefined ? [`${url} is set, but ${model} is not: set the name of the model.`] : []
}

/** A shorter password may be a common word, so it is only redacted inside a URL. */
const longerThanWords = 12

/** Texts to redact: keys, and passwords of URLs in encoded and decoded form. */
export function secretsOf(all: Environment): string[] {
  const passwords = urls.flatMap((name) => passwordsIn(all[name])).flatMap((written) => [written, decoded(written)])
  const keys = [
    all.ELASTICSEARCH_API_KEY,
    all.PRECEDENT_EMBEDDER_API_KEY,
    all.PRECEDENT_JUDGE_API_KEY,
    all.PRECEDENT_BOOTSTRAP_KEY,
  ].filter((key) => key !== undefined)
  const bare = passwords.filter((password) => password.length >= longerThanWords)
  return [...new Set([...keys, ...bare, ...passwords.map((password) => `:${password}@`)])]
}

/** The password of a URL, still encoded; at most one. */
function passwordsIn(url: string | undefined): string[] {
  const password = /^[a-z+]+:\/\/[^/?#@:]*:([^/?#]+)@/.exec(url ?? '')?.[1]
  return password === undefined ? [] : [password]
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]} is` : `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are`
}
