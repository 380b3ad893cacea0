/** `precedent mcp` between a client and an endpoint of the test. */
import { expect } from 'vitest'
import { type McpProcess, type Message, startMcp } from './client.ts'
import { type Answering, type Endpoint, endpoint, json } from './endpoint.ts'

export const key = 'svc_sk_0123456789abcdefghijklmnopqrstuvwxyzABCDEF'

/** Answers with the method and the parameters of the request. */
export const echo: Answering = ({ body }, response) => {
  if (body.id === undefined || body.method === undefined) return response.writeHead(202).end()
  return json(response, { jsonrpc: '2.0', id: body.id, result: { method: body.method, params: body.params } })
}

export async function bridged(answering: Answering, args: string[] = []): Promise<{ to: Endpoint; mcp: McpProcess }> {
  const to = await endpoint(answering)
  return { to, mcp: startMcp({ PRECEDENT_URL: to.url, PRECEDENT_API_KEY: key }, args) }
}

/** Ends the input. Every line of the output must be JSON-RPC, and the exit code 0. */
export async function finish(mcp: McpProcess): Promise<Message[]> {
  mcp.end()
  expect(await mcp.ended, mcp.stderr()).toBe(0)
  const messages = mcp.lines().flatMap((line) => JSON.parse(line) as Message | Message[])
  expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  return messages
}
