import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { findSecret, textIn } from '../../src/receipts/secrets.ts'

const letters = (count: number) => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'.repeat(8).slice(0, count)

/** Put together here, so that no scanner takes them for real. */
const secrets: Record<string, string> = {
  'an AWS secret key': `AWS_SECRET_ACCESS_KEY="${letters(40)}"`,
  'an npm token': `npm_${letters(36)}`,
  'a GitHub token': `ghp_${letters(36)}`,
  'a fine-grained GitHub token': `github_pat_${letters(82)}`,
  'a Slack token': `xoxb-${letters(12)}-${letters(24)}`,
  'a Slack hook': `https://hooks.slack.com/services/T${letters(8)}/B${letters(8)}/${letters(24)}`,
  'a Sendgrid key': `SG.${letters(22)}.${letters(43)}`,
  'a Shopify token': `shpat_${letters(32)}`,
  'an Anthropic key': `sk-ant-api03-${letters(93)}AA`,
  'an OpenAI key': `sk-${letters(20)}T3BlbkFJ${letters(20)}`,
  'a Linear key': `lin_api_${letters(40)}`,
  'a private key': `-----BEGIN RSA PRIVATE KEY-----\nMII${letters(200)}\n-----END RSA PRIVATE KEY-----`,
  'a login in a url': `https://deploy:${letters(20)}@db.example.com/x`,
  'a login in a database url': `postgres://app:${letters(20)}@db.example.com:5432/app`,
  'a key of this service': `svc_sk_${letters(43)}`,
  'a GitLab token': `glpat-${letters(20)}`,
  'a Google key': `AIza${letters(35)}`,
  'a Stripe key': `sk_live_${letters(24)}`,
}

describe('findSecret', () => {
  it.each(Object.entries(secrets))('finds %s and says where, not what', async (_, secret) => {
    const found = await findSecret([
      { place: 'title', text: 'How we deploy' },
      { place: 'content', text: `We wrote it down: ${secret} and went on.` },
    ])
    expect(found?.place).toBe('content')
    expect(JSON.stringify(found)).not.toContain(secret)
  })

  it('finds it in any string of a value, quotes and line breaks and all', async () => {
    for (const secret of Object.values(secrets)) {
      const text = textIn('context', { summary: 'Fine.', constraints: ['Fine too.', secret] })
      expect(await findSecret([text]), secret).toMatchObject({ place: 'context' })
    }
  })

  it('finds one wherever it stands in a long text', async () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\nMII${`${letters(64)}\n`.repeat(140)}-----END RSA PRIVATE KEY-----`
    for (let at = 0; at < 24_000; at += 1_000) {
      const text = `${'word '.repeat(at / 5)}${key}${' word'.repeat(2_000)}`
      expect(await findSecret([{ place: 'content', text }]), `at ${at}`).toEqual({
        kind: 'privatekey',
        place: 'content',
      })
    }
  })

  it('takes no piece of a long text for a credential that the whole is not', async () => {
    const text = `aws_secret_access_key is left empty ${letters(256).repeat(100)}`
    expect(await findSecret([{ place: 'content', text }])).toBeUndefined()
  })

  it('is not held up by a text of thousands of them', async () => {
    const text = 'a xoxb-1-'.repeat(6_000)
    expect(await findSecret([{ place: 'content', text }])).toEqual({ kind: 'slack', place: 'content' })
  })

  it.each([
    'The canvas is Asian, said Aida; SG. is no key, nor is hf_hub or sk-learn.',
    'Clone https://example.com:8443/a/b, ask ops_team, set private_key in the vault.',
    'Keys begin with svc_sk_, glpat- or AIza.',
  ])('finds nothing in %s', async (text) => {
    expect(await findSecret([{ place: 'content', text }])).toBeUndefined()
  })

  it('keeps nothing of the texts that it looked at', async () => {
    const text = `-----BEGIN and nothing more`
    await findSecret([{ place: 'content', text }])
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = performance.getEntries().length
    for (let n = 0; n < 50; n++) await findSecret([{ place: 'content', text }])
    expect(performance.getEntries().length).toBe(before)
  })
})
