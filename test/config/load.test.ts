import { describe, expect, it } from 'vitest'
import { load } from '../../config/load.ts'
import { processKinds } from '../../config/processes.ts'

const mongodb = { MONGODB_URL: 'mongodb://db.example.com/precedent' }
const redis = { REDIS_URL: 'redis://redis.example.com:6379' }
const elasticsearch = { ELASTICSEARCH_URL: 'http://search.example.com:9200' }

it('the configuration needs no variables', () => {
  expect(load({})).toMatchObject({
    engines: { mongodb: undefined, redis: undefined, elasticsearch: undefined },
    host: '127.0.0.1',
    port: 4400,
    publicUrl: 'http://127.0.0.1:4400',
    workspaceType: 'company',
    journalRetentionDays: 30,
    shutdownDeadlineMs: 20_000,
  })
})

it('an empty variable counts as unset', () => {
  expect(load({ PORT: '', PRECEDENT_PUBLIC_URL: '' }).publicUrl).toBe('http://127.0.0.1:4400')
})

it('the URL of the service is valid for IPv6 addresses and for a public URL with a trailing slash', () => {
  expect(load({ HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]:80')
  expect(load({ PRECEDENT_PUBLIC_URL: 'https://example.com/p//' }).publicUrl).toBe('https://example.com/p')
  expect(load({ PRECEDENT_PUBLIC_URL: 'https://bücher.example/ü' }).publicUrl).toBe(
    'https://xn--bcher-kva.example/%C3%BC',
  )
})

it.each([
  ['PORT', '70000', 'from 0 to 65535'],
  ['PORT', '4400x', 'whole number'],
  ['PRECEDENT_PUBLIC_URL', 'example.com', 'https://precedent.example.com'],
  ['PRECEDENT_BOOTSTRAP_KEY', 'svc_sk_short', 'openssl rand'],
  ['PRECEDENT_WORKSPACE_TYPE', 'team', 'personal, company'],
  ['PRECEDENT_PROFILE', 'large', 'embedded, scaled'],
  ['MONGODB_URL', 'db.example.com', 'mongodb://db.example.com:27017/precedent'],
  ['REDIS_URL', 'redis.example.com', 'redis://redis.example.com:6379'],
  ['REDIS_URL', 'redis://redis.example.com/jobs', 'redis://redis.example.com:6379/1'],
  ['ELASTICSEARCH_URL', 'search.example.com', 'https://search.example.com:9200'],
  ['ELASTICSEARCH_URL', 'http://search.example.com:9200/?pretty', 'no query'],
  ['ELASTICSEARCH_API_KEY', 'two words', 'encoded'],
  ['ELASTICSEARCH_API_KEY', 'abc==', 'ELASTICSEARCH_URL is not'],
  ['PRECEDENT_EMBEDDER_URL', 'ollama:11434', 'http://127.0.0.1:11434/v1'],
  ['PRECEDENT_EMBEDDER_URL', 'http://me:secret@host/v1', 'PRECEDENT_EMBEDDER_API_KEY'],
  ['PRECEDENT_EMBEDDER_URL', 'http://host/v1?key=secret', 'no query'],
  ['PRECEDENT_EMBEDDER_URL', 'http://host/v1', 'PRECEDENT_EMBEDDER_MODEL is not'],
  ['PRECEDENT_EMBEDDER_MODEL', 'small', 'PRECEDENT_EMBEDDER_URL is not'],
  ['PRECEDENT_EMBEDDER_MODEL', 'm'.repeat(151), 'at most 150 characters'],
  ['PRECEDENT_EMBEDDER_API_KEY', 'two words', 'without spaces'],
  ['PRECEDENT_JUDGE_URL', 'ollama:11434', 'http://127.0.0.1:11434/v1'],
  ['PRECEDENT_JUDGE_URL', 'http://me:secret@host/v1', 'PRECEDENT_JUDGE_API_KEY'],
  ['PRECEDENT_JUDGE_URL', 'http://host/v1', 'PRECEDENT_JUDGE_MODEL is not'],
  ['PRECEDENT_JUDGE_MODEL', 'small', 'PRECEDENT_JUDGE_URL is not'],
  ['PRECEDENT_JUDGE_API_KEY', 'two words', 'without spaces'],
  ['PRECEDENT_EMBEDDER_DIMENSIONS', '1', 'from 2 to 4096'],
  ['PRECEDENT_PREFIX', 'Mine', 'lower-case'],
  ['PRECEDENT_LOG_LEVEL', 'loud', 'info'],
  ['PRECEDENT_ALLOWED_ORIGINS', '*', 'https://app.example.com'],
  ['PRECEDENT_ALLOWED_ORIGINS', 'https://app.example.com/', 'no slash at the end'],
  ['PRECEDENT_ALLOWED_ORIGINS', 'https://a.example.com,,https://b.example.com', 'separated by commas'],
  ['PRECEDENT_RATE_LIMIT', '-1', '0 sets no limit'],
  // the share of one credential must fit the largest batch
  ['PRECEDENT_BODY_MEMORY_MIB', '191', 'from 192 to 65536'],
  ['PRECEDENT_JOURNAL_RETENTION_DAYS', '1.5', '0 keeps everything'],
  ['PRECEDENT_SHUTDOWN_DEADLINE_SECONDS', '0', 'seconds'],
])('refuses %s=%s with its name and the remedy', (name, value, remedy) => {
  expect(() => load({ [name]: value })).toThrow(name)
  expect(() => load({ [name]: value })).toThrow(remedy)
})

it('all invalid variables are reported at once', () => {
  expect(() => load({ PORT: 'x', PRECEDENT_LOG_LEVEL: 'x' })).toThrow(/PORT[\s\S]*PRECEDENT_LOG_LEVEL/)
})

describe('engines', () => {
  const combinations = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => ({
    ...(bits & 1 ? mongodb : {}),
    ...(bits & 2 ? redis : {}),
    ...(bits & 4 ? elasticsearch : {}),
  }))

  it('runs one process on every combination of engines', () => {
    for (const combination of combinations) {
      const { engines } = load(combination)
      expect(engines.mongodb !== undefined).toBe('MONGODB_URL' in combination)
      expect(engines.redis !== undefined).toBe('REDIS_URL' in combination)
      expect(engines.elasticsearch !== undefined).toBe('ELASTICSEARCH_URL' in combination)
    }
  })

  it.each(processKinds.filter((kind) => kind !== 'all'))(
    'lets %s run as a separate process only if MongoDB and Elasticsearch are set',
    (kind) => {
      for (const combination of combinations) {
        const shared = 'MONGODB_URL' in combination && 'ELASTICSEARCH_URL' in combination
        if (shared) expect(load(combination, kind).engines.mongodb).toBeDefined()
        else {
          expect(() => load(combination, kind)).toThrow(/process needs MongoDB and Elasticsearch.*npm start/)
          for (const [name, value] of Object.entries({ ...mongodb, ...elasticsearch })) {
            const missing = new RegExp(`${name}[^.]* not set`)
            const message = messageOf(() => load(combination, kind))
            if (name in combination) expect(message, value).not.toMatch(missing)
            else expect(message).toMatch(missing)
          }
        }
      }
    },
  )

  it('accepts the scaled profile with all three engines, and names missing ones', () => {
    const scaled = { PRECEDENT_PROFILE: 'scaled' }
    const { engines } = load({ ...scaled, ...mongodb, ...redis, ...elasticsearch })
    const servers = [engines.mongodb, engines.redis, engines.elasticsearch]
    expect(servers.every((engine) => engine !== undefined)).toBe(true)
    expect(() => load(scaled)).toThrow('MONGODB_URL, REDIS_URL and ELASTICSEARCH_URL are not set')
    expect(() => load({ ...scaled, ...mongodb, ...elasticsearch })).toThrow('REDIS_URL is not set')
  })

  it('accepts urls with several hosts, options, users and paths', () => {
    const several = 'mongodb://u:p@a.example.com:1,b.example.com:2/name?replicaSet=rs0'
    expect(load({ MONGODB_URL: several }).engines.mongodb?.url).toBe(several)
    expect(load({ MONGODB_URL: 'mongodb+srv://a.example.com' }).engines.mongodb).toBeDefined()
    expect(load({ REDIS_URL: 'rediss://:p@a.example.com/3' }).engines.redis?.prefix).toBe('precedent')
    const { elasticsearch: found } = load({ ...elasticsearch, ELASTICSEARCH_API_KEY: 'a2V5==' }).engines
    expect(found).toMatchObject({ apiKey: 'a2V5==', prefix: 'precedent' })
  })

  it('refuses two credentials for the same engine', () => {
    const two = { ELASTICSEARCH_URL: 'http://elastic:p@search.example.com', ELASTICSEARCH_API_KEY: 'a2V5==' }
    expect(() => load(two)).toThrow('leave one of them out')
  })
})

describe('the embedder', () => {
  const embedder = { PRECEDENT_EMBEDDER_URL: 'https://models.example.com/v1/', PRECEDENT_EMBEDDER_MODEL: 'small' }

  it('is disabled by default', () => {
    expect(load({}).engines.embedder).toBeUndefined()
  })

  it('needs only a URL and a model', () => {
    expect(load(embedder).engines.embedder).toEqual({
      url: 'https://models.example.com/v1',
      model: 'small',
      apiKey: undefined,
      dimensions: undefined,
      prefixes: { record: '', query: '' },
    })
  })

  it('keeps the space at the end of a prefix, and never shows the key', () => {
    const { engines, secrets } = load({
      ...embedder,
      PRECEDENT_EMBEDDER_API_KEY: 'sk-1',
      PRECEDENT_EMBEDDER_DIMENSIONS: '512',
      PRECEDENT_EMBEDDER_QUERY_PREFIX: 'search_query: ',
    })
    expect(engines.embedder).toMatchObject({ apiKey: 'sk-1', dimensions: 512, prefixes: { query: 'search_query: ' } })
    expect(secrets).toContain('sk-1')
  })
})

describe('secrets', () => {
  it('finds every password and key, encoded and decoded', () => {
    const { secrets } = load({
      MONGODB_URL: 'mongodb://u:a-long-%21-password@a:1,b:2/name',
      REDIS_URL: 'redis://:word@redis',
      ELASTICSEARCH_URL: 'http://elastic:three@search:9200',
      PRECEDENT_BOOTSTRAP_KEY: `svc_sk_${'k'.repeat(32)}`,
    })
    const known = ['a-long-%21-password', 'a-long-!-password', ':word@', ':three@', `svc_sk_${'k'.repeat(32)}`]
    expect(secrets).toEqual(expect.arrayContaining(known))
    // otherwise the word would be redacted in every line
    expect(secrets).not.toContain('word')
  })

  it('never shows the value of an invalid variable', () => {
    const wrong = {
      MONGODB_URL: 'mongo://u:hidden@host',
      REDIS_URL: 'http://:hidden@host',
      ELASTICSEARCH_URL: 'ftp://u:hidden@host',
      ELASTICSEARCH_API_KEY: 'hidden key',
      PRECEDENT_BOOTSTRAP_KEY: 'hidden',
    }
    const message = messageOf(() => load(wrong))
    for (const name of Object.keys(wrong)) expect(message).toContain(name)
    expect(message).not.toContain('hidden')
  })
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}
