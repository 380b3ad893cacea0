import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { findSecret } from '../../src/secrets/find.ts'
import { textsIn } from '../../src/secrets/texts.ts'

const letters = (count: number) => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'.repeat(8).slice(0, count)
const hex = (count: number) => '3f9a0c71be52d84617fa90c3'.repeat(8).slice(0, count)
const body = (lines: number) => `${letters(64)}\n`.repeat(lines)
const inContent = (text: string) => findSecret([{ place: 'content', text }])

/** Put together here, so that no scanner takes them for real. */
const secrets: Record<string, string> = {
  'an AWS access key id': `AKIA${'Q3EGRVJ5UZ2H7WMX'}`,
  'an AWS secret key': `AWS_SECRET_ACCESS_KEY="${letters(40)}"`,
  'an AWS secret key that ends in a slash': `aws_secret_access_key = ${letters(39)}/`,
  'an npm token': `npm_${letters(36)}`,
  'a GitHub token': `ghp_${letters(36)}`,
  'a fine-grained GitHub token': `github_pat_${letters(82)}`,
  'a Slack token': `xoxb-${letters(12)}-${letters(24)}`,
  'a Slack hook': `https://hooks.slack.com/services/T${letters(8)}/B${letters(8)}/${letters(24)}`,
  'a Sendgrid key': `SG.${letters(22)}.${letters(43)}`,
  'a Shopify token': `shpat_${hex(32)}`,
  'an Anthropic key': `sk-ant-api03-${letters(93)}AA`,
  'an OpenAI key': `sk-${letters(20)}T3BlbkFJ${letters(20)}`,
  'a Linear key': `lin_api_${letters(40)}`,
  'a private key': `-----BEGIN RSA PRIVATE KEY-----\n${body(4)}-----END RSA PRIVATE KEY-----`,
  'a private key without its end': `-----BEGIN PRIVATE KEY-----\n${letters(64)}`,
  'a private key in quotes': `> -----BEGIN EC PRIVATE KEY-----\n> ${letters(64)}\n> ${letters(30)}`,
  'a private key in a line of JSON': `"-----BEGIN PRIVATE KEY-----\\n${letters(64)}\\n-----END`,
  'a private key with a passphrase': `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${body(3)}`,
  'a PGP key': `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${body(5)}`,
  'a PuTTY key': `PuTTY-User-Key-File-3: ssh-rsa\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 2\n${body(2)}`,
  'an age key': `AGE-SECRET-KEY-1${'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'.repeat(2).slice(0, 58)}`,
  'a private JSON Web Key': `{"kty":"EC","crv":"P-256","d":"${letters(43)}"}`,
  'a private key in base64': Buffer.from(`-----BEGIN EC PRIVATE KEY-----\n${body(3)}`).toString('base64'),
  'a JSON Web Token': `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"7"}').toString('base64url')}.${letters(43)}`,
  'a login in a url': `https://deploy:${letters(20)}@db.example.com/x`,
  'a login in a database url': `postgres://app:${letters(20)}@db.example.com:5432/app`,
  'a password in a redis url': `redis://:${letters(12)}@cache.internal:6379`,
  'a connection string': `Server=sql1;Database=a;User Id=sa;Password=${letters(12)};Encrypt=True`,
  'a JDBC url': `jdbc:mysql://db/hr?user=hr&password=${letters(14)}`,
  'an Oracle login': `jdbc:oracle:thin:scott/${letters(10)}@db:1521:orcl`,
  'an Azure storage key': `AccountName=x;AccountKey=${letters(86)}==;EndpointSuffix=core.windows.net`,
  'a Google client secret': `GOCSPX-${letters(28)}`,
  'a Discord bot': `${Buffer.from('747438552131177365').toString('base64')}.Gu0Myh.${letters(38)}`,
  'a Telegram bot': `6658787831:AA${letters(33)}`,
  'a key of this service': `svc_sk_${letters(43)}`,
  'a GitLab token': `glpat-${letters(20)}`,
  'a Google key': `AIza${letters(35)}`,
  'a Stripe key': `sk_live_${letters(24)}`,
  'basic authentication': `Authorization: Basic ${Buffer.from(`ann:${letters(12)}`).toString('base64')}`,
  'a login on a command line': `curl -u ann:${letters(12)} https://nexus.internal/`,
}

/** Ways in which a text reaches us that is quoted in another one. */
const escapes: Record<string, (text: string) => string> = {
  'percent-encoded': encodeURIComponent,
  'with HTML entities': (text) => text.replace(/[_.:/=-]/g, (found) => `&#${found.charCodeAt(0)};`),
  'with characters that nobody sees': (text) => `${text.slice(0, 6)}\u200b${text.slice(6, 20)}\u2060${text.slice(20)}`,
  'as JSON in JSON': (text) => JSON.stringify({ log: JSON.stringify({ text: `x\n${text}` }) }),
}

describe('findSecret', () => {
  it.each(Object.entries(secrets))('finds %s and says the place and the line, not the secret', async (_, secret) => {
    const found = await findSecret([
      { place: 'title', text: 'How we deploy' },
      { place: 'content', text: `We wrote it down.\n\nIt is this: ${secret} and went on.` },
    ])
    expect(found).toEqual({ kind: expect.stringMatching(/^[\w-]+$/), place: 'content', line: expect.any(Number) })
    expect(found?.line).toBeGreaterThanOrEqual(3)
    expect(JSON.stringify(found)).not.toContain(letters(8))
  })

  it('finds it in any string of a value, and says which', async () => {
    for (const secret of Object.values(secrets)) {
      const texts = textsIn('context', { summary: 'Fine.', constraints: ['Fine too.', secret] })
      expect(await findSecret(texts), secret).toMatchObject({ place: 'context.constraints[1]' })
    }
  })

  it.each(Object.entries(escapes))('finds a token %s', async (_, escaped) => {
    for (const secret of ['a GitHub token', 'a Stripe key', 'a GitLab token', 'a password in a redis url']) {
      expect(await inContent(`\n${escaped(secrets[secret] as string)}`), secret).toMatchObject({ line: 2 })
    }
  })

  it('names the line after line breaks of either kind', async () => {
    expect(await inContent(`a\r\nb\n\nkey: ghp_${letters(36)}`)).toEqual({ kind: 'github', place: 'content', line: 4 })
  })

  it('finds a private key wherever it stands in a long text, and however long it is', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\nMII${body(200)}-----END RSA PRIVATE KEY-----`
    for (let at = 0; at < 24_000; at += 3_000) {
      const text = `${'word '.repeat(at / 5)}${key}${' word'.repeat(2_000)}`
      expect(await inContent(text), `at ${at}`).toEqual({ kind: 'privatekey', place: 'content', line: 1 })
    }
  })

  it.each([
    'postgres://app:<password>@db.corp.net/app',
    'postgres://app:{{token}}@db.corp.net/app',
    'postgres://app:xxxx@db.corp.net/app',
    'postgres://app:xxx-xxx-xxx@db.corp.net/app',
    'postgres://app:__DB_PASSWORD__@db.corp.net/app',
    'postgres://app:((db_password))@db.corp.net/app',
    'https://user:pat@git.corp.net/team',
    'Authorization: Bearer TokenInBase64GoesHere',
    'Authorization: Bearer A1b2_token_goes_here_Z9',
  ])('takes %s for an example', async (text) => {
    expect(await inContent(text)).toBeUndefined()
  })

  it('goes on behind a placeholder', async () => {
    const text = `ghp_${'x'.repeat(36)}\nhttps://user:password@host/\nghp_${letters(36)}`
    expect(await inContent(text)).toEqual({ kind: 'github', place: 'content', line: 3 })
  })

  it.each([
    'The canvas is Asian, said Aida; SG. is no key, nor is hf_hub or sk-learn.',
    'Clone https://example.com:8443/a/b, ask ops_team, set private_key in the vault.',
    'Keys begin with svc_sk_, glpat- or AIza.',
    'postgres://user:password@host/db, postgres://u:%3Cpassword%3E@host, redis://:$PASSWORD@cache/0, https://<user>:<password>@host',
    'amqp://guest:guest@localhost:5672, mysql://root:root@127.0.0.1/dev, ftp://anonymous:me@ftp.gnu.org',
    `SecretAccessKey: ${hex(40)} is the commit`,
    `svc_sk_${'X'.repeat(43)}, ghp_${'x'.repeat(36)}, password=changeme, API_KEY=<your key>`,
    `token=$\{{ secrets.TOKEN }}, password: process.env.PASSWORD, secret = config.get("auth.secret")`,
    '//registry.npmjs.org/:_authToken=<token> or :_authToken=your-token or _authToken=secret',
    'AKIAIOSFODNN7EXAMPLE with wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    `-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA${letters(40)}...\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PUBLIC KEY-----\n${body(4)}-----END PUBLIC KEY-----`,
    `${Buffer.from(`-----BEGIN CERTIFICATE-----\n${body(4)}`).toString('base64')}`,
  ])('finds nothing in %s', async (text) => {
    expect(await inContent(text)).toBeUndefined()
  })

  it('takes no piece of a long text for a credential that the whole is not', async () => {
    const text = `aws_secret_access_key is left empty ${letters(256).repeat(100)}`
    expect(await inContent(text)).toBeUndefined()
  })

  it('keeps nothing of the texts that it looked at', async () => {
    const text = '-----BEGIN PRIVATE KEY and nothing more'
    await inContent(text)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = performance.getEntries().length
    for (let n = 0; n < 50; n++) await inContent(text)
    expect(performance.getEntries().length).toBe(before)
  })
})
