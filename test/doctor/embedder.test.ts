import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examineEmbedder } from '../../src/doctor/embedder.ts'
import { answering, answerTo, type Endpoint, embeddingEndpoint } from '../support/embedding-endpoint.ts'

let endpoint: Endpoint
beforeAll(async () => {
  endpoint = await embeddingEndpoint()
})
afterAll(() => endpoint.stop())

async function examined(url = endpoint.url) {
  const settings = { url, model: 'small', apiKey: 'sk-secret', dimensions: undefined }
  const findings: [state: string, found: string][] = []
  for await (const { state, found } of examineEmbedder({ ...settings, prefixes: { record: '', query: '' } })) {
    findings.push([state, found])
  }
  return findings
}

describe('what precedent doctor says of the embedder', () => {
  it('is well, of how many dimensions, and how soon', async () => {
    expect(await examined()).toEqual([
      ['ok', 'small answers with vectors of 256 dimensions'],
      ['ok', expect.stringMatching(/^a question has its vector in \d+ ms$/)],
    ])
  })

  it('is that searches do not wait for one that is slow', async () => {
    endpoint.misbehave((asked, response) => {
      setTimeout(() => response.end(JSON.stringify(answerTo(asked))), 350)
      return true
    })
    expect((await examined())[1]).toEqual(['note', expect.stringContaining('by words alone')])
  })

  it('is what is wrong, without the key', async () => {
    endpoint.misbehave(answering(401))
    const findings = await examined()
    expect(findings).toEqual([['wrong', expect.stringContaining('does not take the key')]])
    expect(JSON.stringify(findings)).not.toContain('sk-secret')
  })

  it('is who reads along', async () => {
    const [[state, found] = []] = await examined('http://embedder.invalid/v1')
    expect([state, found]).toEqual(['note', expect.stringContaining('embedder.invalid without encryption')])
  })
})
