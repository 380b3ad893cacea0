import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../config/configuration-error.ts'
import { load } from '../../config/load.ts'
import type { ProcessKind } from '../../config/processes.ts'
import { signingSecret, written } from './operator.ts'

const shared = { MONGODB_URL: 'mongodb://db.example.com/x', ELASTICSEARCH_URL: 'http://search.example.com:9200' }
const remote = 'executors: { far: { type: http, url: https://a.example.com, secret_env: AGENT_SECRET } }\n'
const notice = { PRECEDENT_NOTIFY_URL: 'https://hooks.example.com/x?y=1', PRECEDENT_NOTIFY_SECRET: signingSecret }

function refusalOf(variables: Record<string, string>, kind: ProcessKind = 'all'): ConfigurationError {
  try {
    load(variables, kind)
  } catch (error) {
    if (error instanceof ConfigurationError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('settings of runs', () => {
  it('have defaults, without a file', () => {
    expect(load({})).toMatchObject({
      operator: { path: undefined, executors: [], policy: undefined, httpHosts: [] },
      approvalDays: 7,
      runsPerWorkspace: 10,
      runDeadlineMs: 60_000,
      notify: undefined,
    })
  })

  it.each([
    ['PRECEDENT_APPROVAL_DAYS', '0', 'from 1 to 365'],
    ['PRECEDENT_APPROVAL_DAYS', '366', 'from 1 to 365'],
    ['PRECEDENT_RUNS_PER_WORKSPACE', '1001', 'from 1 to 1000'],
    ['PRECEDENT_RUN_DEADLINE_SECONDS', '3601', 'from 1 to 3600'],
    ['PRECEDENT_NOTIFY_URL', 'hooks.example.com', 'https://hooks.example.com/precedent'],
    ['PRECEDENT_NOTIFY_URL', 'https://me:secret@hooks.example.com', 'without user'],
    ['PRECEDENT_NOTIFY_URL', 'https://hooks.example.com', 'PRECEDENT_NOTIFY_SECRET is not: set that too'],
    ['PRECEDENT_NOTIFY_SECRET', signingSecret, 'PRECEDENT_NOTIFY_URL is not: set that too'],
    ['PRECEDENT_NOTIFY_SECRET', 'whsec_c2hvcnQ=', 'openssl rand'],
    ['PRECEDENT_NOTIFY_SECRET', signingSecret.slice(6), 'whsec_'],
    ['PRECEDENT_NOTIFY_SECRET', `whsec_${Buffer.alloc(65).toString('base64')}`, '24 to 64'],
  ])('refuse %s=%s with the remedy, and without the value', (name, value, remedy) => {
    const { message } = refusalOf({ [name]: value })
    expect(message).toContain(name)
    expect(message).toContain(remedy)
    if (name.endsWith('SECRET')) expect(message).not.toContain(value)
  })

  it('warn of a misspelt name', () => {
    expect(load({ PRECEDENT_APROVAL_DAYS: '3', PRECEDENT_NOTIFY_UR: 'x' }).warnings).toEqual([
      'PRECEDENT_APROVAL_DAYS is not a setting and has no effect. Did you mean PRECEDENT_APPROVAL_DAYS?',
      'PRECEDENT_NOTIFY_UR is not a setting and has no effect. Did you mean PRECEDENT_NOTIFY_URL?',
    ])
  })
})

describe('the receiver of notices', () => {
  it('is kept as it was written, and its secret is redacted with and without the prefix', () => {
    const { notify, secrets } = load(notice)
    expect(notify).toEqual({ url: 'https://hooks.example.com/x?y=1', secret: signingSecret })
    expect(secrets).toEqual(expect.arrayContaining([signingSecret, signingSecret.slice(6)]))
  })

  it('needs https, or a host that the file lists', () => {
    const plain = { ...notice, PRECEDENT_NOTIFY_URL: 'http://hooks.internal:8080/x' }
    expect(refusalOf(plain).message).toContain('http_hosts')
    expect(refusalOf({ ...plain, PRECEDENT_CONFIG: written('http_hosts: [other]') }).message).toContain('http_hosts')
    const listed = written('http_hosts: ["hooks.internal:8080"]')
    expect(load({ ...plain, PRECEDENT_CONFIG: listed }).notify?.url).toBe('http://hooks.internal:8080/x')
  })
})

describe('the file that PRECEDENT_CONFIG names', () => {
  it.each(['all', 'run'] as const)('is read by %s, with the secrets of executors, which are redacted', (kind) => {
    const variables = { ...shared, PRECEDENT_CONFIG: written(remote), AGENT_SECRET: signingSecret }
    const { operator, secrets } = load(variables, kind)
    expect(operator.executors).toMatchObject([{ name: 'far', secret: signingSecret }])
    expect(secrets).toContain(signingSecret)
  })

  it('is read by maintain without secrets, for its policy', () => {
    const file = `${remote}policy: { default: deny }\n`
    const { operator } = load({ ...shared, PRECEDENT_CONFIG: written(file) }, 'maintain')
    expect(operator).toMatchObject({ executors: [], policy: { default: 'deny', rules: [] } })
    expect(refusalOf({ ...shared, PRECEDENT_CONFIG: written('x: 1') }, 'maintain').inFile).toHaveLength(1)
  })

  it.each(['apply', 'index'] as const)('is not read by %s', (kind) => {
    const { operator } = load({ ...shared, PRECEDENT_CONFIG: '/does/not/exist' }, kind)
    expect(operator).toMatchObject({ path: undefined, executors: [], policy: undefined })
  })

  it('is not read by a command that opens the store, so that its errors prevent no backup', () => {
    expect(load({ PRECEDENT_CONFIG: '/does/not/exist' }, 'command').operator.path).toBeUndefined()
    expect(load({}, 'command').engines.mongodb).toBeUndefined()
  })

  it('is refused together with the settings beside it, and the two are told apart', () => {
    const path = written('executors:\n  a: { type: process }\npolicy: []\n')
    const refusal = refusalOf({ PRECEDENT_CONFIG: path, PRECEDENT_EMBEDDER_MODEL: 'small' })
    expect(refusal.sentences).toHaveLength(3)
    expect(refusal.sentences[0]).toContain('PRECEDENT_EMBEDDER_MODEL')
    expect(refusal.inFile).toEqual([
      expect.stringContaining(`${path}:2:3 executors.a.command is required`),
      expect.stringContaining(`${path}:3:9 policy must be`),
    ])
  })

  it('is refused if the secret of an executor is missing or no signing secret, without showing it', () => {
    const path = written(remote)
    expect(refusalOf({ PRECEDENT_CONFIG: path }).message).toMatch(/secret_env names AGENT_SECRET, which is not set/)
    const { message } = refusalOf({ PRECEDENT_CONFIG: path, AGENT_SECRET: 'correct-horse' })
    expect(message).toMatch(/secret_env names AGENT_SECRET, which must be whsec_/)
    expect(message).not.toContain('correct-horse')
  })
})
