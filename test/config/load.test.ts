import { expect, it } from 'vitest'
import { load } from '../../config/load.ts'

it('needs no variable at all', () => {
  expect(load({})).toMatchObject({
    profile: 'embedded',
    host: '127.0.0.1',
    port: 4400,
    publicUrl: 'http://127.0.0.1:4400',
    workspaceType: 'company',
    journalRetentionDays: 30,
    shutdownDeadlineMs: 20_000,
  })
})

it('takes a variable that is set to nothing as not set', () => {
  expect(load({ PORT: '', PRECEDENT_PUBLIC_URL: '' }).publicUrl).toBe('http://127.0.0.1:4400')
})

it('makes urls that work of IPv6 addresses and of slashes at the end', () => {
  expect(load({ HOST: '::1', PORT: '80' }).publicUrl).toBe('http://[::1]:80')
  expect(load({ PRECEDENT_PUBLIC_URL: 'https://example.com/p//' }).publicUrl).toBe('https://example.com/p')
})

it.each([
  ['PORT', '70000', 'from 0 to 65535'],
  ['PORT', '4400x', 'whole number'],
  ['PRECEDENT_PUBLIC_URL', 'example.com', 'https://precedent.example.com'],
  ['PRECEDENT_BOOTSTRAP_KEY', 'svc_sk_short', 'openssl rand'],
  ['PRECEDENT_WORKSPACE_TYPE', 'team', 'personal, company'],
  ['PRECEDENT_PROFILE', 'scaled', 'embedded'],
  ['MONGODB_URL', 'mongodb://localhost', 'unset it'],
  ['REDIS_URL', 'redis://localhost', 'unset it'],
  ['ELASTICSEARCH_URL', 'http://localhost:9200', 'unset it'],
  ['PRECEDENT_LOG_LEVEL', 'loud', 'info'],
  ['PRECEDENT_RATE_LIMIT', '-1', '0 sets no limit'],
  ['PRECEDENT_JOURNAL_RETENTION_DAYS', '1.5', '0 keeps everything'],
  ['PRECEDENT_SHUTDOWN_DEADLINE_SECONDS', '0', 'seconds'],
])('refuses %s=%s with its name and the remedy', (name, value, remedy) => {
  expect(() => load({ [name]: value })).toThrow(name)
  expect(() => load({ [name]: value })).toThrow(remedy)
})

it('names all variables that are wrong at once', () => {
  expect(() => load({ PORT: 'x', PRECEDENT_LOG_LEVEL: 'x' })).toThrow(/PORT[\s\S]*PRECEDENT_LOG_LEVEL/)
})
