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

describe('precedent doctor on the embedder', () => {
  it('reports the dimensions of the vectors and the time for a query', async () => {
    expect(await examined()).toEqual([
      ['ok', 'the model small returns vectors of 256 dimensions'],
      ['ok', expect.stringMatching(/^embedding a query takes \d+ ms$/)],
    ])
  })

  it('notes that searches do not wait for a slow embedder', async () => {
    endpoint.misbehave((asked, response) => {
      setTimeout(() => response.end(JSON.stringify(answerTo(asked))), 350)
      return true
    })
    expect((await examined())[1]).toEqual(['note', expect.stringContaining('matches words only')])
  })

  it('reports a refused key, without showing the key', async () => {
    endpoint.misbehave(answering(401))
    const findings = await examined()
    expect(findings).toEqual([['wrong', expect.stringContaining('refuses the key')]])
    expect(JSON.stringify(findings)).not.toContain('sk-secret')
  })

  it('notes that records are sent without encryption', async () => {
    const [[state, found] = []] = await examined('http://embedder.invalid/v1')
    expect([state, found]).toEqual(['note', expect.stringContaining('embedder.invalid without encryption')])
  })
})
