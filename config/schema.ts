/** All settings of the service, by environment variable. Each message tells the remedy, and never shows the value. */
import { z } from 'zod'
import { secretPattern } from '../src/access/secret.ts'
import { isPlainUrl } from './operator/fields.ts'
import { isWebhookSecret, webhookSecretShape } from './operator/webhook-secret.ts'

/** A whole number in an environment variable. */
function whole(least: number, most: number, unit: string) {
  const message = `must be a whole number from ${least} to ${most}${unit === '' ? '' : ` (${unit})`}`
  return z
    .string()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message)
}

function httpUrl(example: string) {
  return z
    .string()
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), `must be a URL such as ${example}`)
    .refine((value) => !/[?#]/.test(value), 'must have no query and no fragment: leave them out')
    .transform((value) => value.replace(/\/+$/, ''))
}

/** Of web pages, as browsers send them in `Origin`. */
function origins() {
  const message =
    'must be origins of web pages such as https://app.example.com, separated by commas: no path, no slash at the end, no *'
  return z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .refine((all) => all.every(isOrigin), message)
}

function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value
}

function redisUrl(example: string) {
  return z
    .string()
    .refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value), `must be a URL such as ${example}`)
    .refine(
      (value) => !URL.canParse(value) || /^\/?\d{0,5}$/.test(new URL(value).pathname),
      `must end with the number of the database, as in ${example}/1, or without one`,
    )
}

/** It may name several hosts, which URL.canParse refuses. */
function mongodbUrl(example: string) {
  return z.string().regex(/^mongodb(\+srv)?:\/\/[^/?#\s]+(\/[^\s]*)?$/, `must be a URL such as ${example}`)
}

/** Text that a model expects before each text. */
function modelPrefix() {
  return z.string().max(500, 'must be at most 500 characters: the words that the model wants before each text')
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}

/** The base URL of an endpoint with a model. */
function modelUrl(example: string, keyName: string) {
  return httpUrl(example).refine(
    (value) => !/^https?:\/\/[^/]*@/.test(value),
    `must have no user or password: set ${keyName}`,
  )
}

function modelName() {
  return z.string().max(150, 'must be the name of a model, of at most 150 characters')
}

function modelKey() {
  return z
    .string()
    .regex(/^[\x21-\x7e]{1,5000}$/, 'must be a key without spaces, as the endpoint takes it after `Bearer`')
}

export const environment = z.object({
  PORT: whole(0, 65_535, '0 takes any free port').default(4400),
  HOST: z.string().min(1, 'must be an address or a name: leave it unset for 127.0.0.1').default('127.0.0.1'),
  PRECEDENT_DATA_DIR: z.string().min(1, 'must be a folder: leave it unset for ./data').default('./data'),
  PRECEDENT_PUBLIC_URL: httpUrl('https://precedent.example.com')
    // urls in responses are built from it, and must be ASCII
    .transform((value) => new URL(value).href.replace(/\/+$/, ''))
    .optional(),
  PRECEDENT_BOOTSTRAP_KEY: z
    .string()
    .regex(
      secretPattern,
      'must be svc_sk_ and 32 to 200 random letters and digits: make one with `echo svc_sk_$(openssl rand -hex 24)`',
    )
    .optional(),
  PRECEDENT_PROFILE: oneOf(['embedded', 'scaled']).default('embedded'),
  MONGODB_URL: mongodbUrl('mongodb://db.example.com:27017/precedent').optional(),
  REDIS_URL: redisUrl('redis://redis.example.com:6379').optional(),
  ELASTICSEARCH_URL: httpUrl('https://search.example.com:9200').optional(),
  ELASTICSEARCH_API_KEY: z
    .string()
    .regex(/^[\w+/=:.-]+$/, 'must be the encoded key, as Elasticsearch shows it')
    .optional(),
  PRECEDENT_EMBEDDER_URL: modelUrl('http://127.0.0.1:11434/v1', 'PRECEDENT_EMBEDDER_API_KEY').optional(),
  PRECEDENT_EMBEDDER_MODEL: modelName().optional(),
  PRECEDENT_EMBEDDER_API_KEY: modelKey().optional(),
  PRECEDENT_EMBEDDER_DIMENSIONS: whole(2, 4096, 'as the model allows; leave it unset for as many as it has').optional(),
  PRECEDENT_EMBEDDER_RECORD_PREFIX: modelPrefix().optional(),
  PRECEDENT_EMBEDDER_QUERY_PREFIX: modelPrefix().optional(),
  PRECEDENT_JUDGE_URL: modelUrl('http://127.0.0.1:11434/v1', 'PRECEDENT_JUDGE_API_KEY').optional(),
  PRECEDENT_JUDGE_MODEL: modelName().optional(),
  PRECEDENT_JUDGE_API_KEY: modelKey().optional(),
  PRECEDENT_PREFIX: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be 1 to 40 lower-case letters, digits and dashes, a letter first')
    .default('precedent'),
  PRECEDENT_HEALTH_PORT: whole(0, 65_535, '0 takes any free port').optional(),
  PRECEDENT_WORKSPACE_TYPE: oneOf(['personal', 'company']).default('company'),
  PRECEDENT_JOURNAL_RETENTION_DAYS: whole(0, 36_500, 'days; 0 keeps everything').default(30),
  PRECEDENT_RECEIPT_RETENTION_DAYS: whole(0, 36_500, 'days after it ended; 0 keeps everything').default(30),
  PRECEDENT_LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  PRECEDENT_SHUTDOWN_DEADLINE_SECONDS: whole(1, 600, 'seconds').default(20),
  PRECEDENT_RATE_LIMIT: whole(0, 1_000_000, 'requests a second for each credential; 0 sets no limit').default(300),
  PRECEDENT_ALLOWED_ORIGINS: origins().default([]),
  // one credential may use a third of it, and the largest batch has 64 MiB
  PRECEDENT_BODY_MEMORY_MIB: whole(192, 65_536, 'MiB of bodies and answers under way').default(256),
  PRECEDENT_CONFIG: z.string().optional(),
  PRECEDENT_APPROVAL_DAYS: whole(1, 365, 'days').default(7),
  PRECEDENT_RUNS_PER_WORKSPACE: whole(1, 1000, 'runs at the same time').default(10),
  PRECEDENT_RUN_DEADLINE_SECONDS: whole(1, 3600, 'seconds').default(60),
  // used unchanged, because a receiver may need a query or a slash at the end
  PRECEDENT_NOTIFY_URL: z
    .string()
    .max(2000, 'must be at most 2000 characters')
    .refine(
      isPlainUrl,
      'must be a URL such as https://hooks.example.com/precedent, without user, password and fragment',
    )
    .optional(),
  PRECEDENT_NOTIFY_SECRET: z.string().refine(isWebhookSecret, `must be ${webhookSecretShape}`).optional(),
})
export type Environment = z.infer<typeof environment>
