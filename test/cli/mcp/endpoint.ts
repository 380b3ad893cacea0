/** An HTTP server that answers like an MCP endpoint, in whatever way a test asks for. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cleanUp } from '../../support/clean-up.ts'

export interface Received {
  url: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

export interface Endpoint {
  url: string
  received: Received[]
  /** The connections of requests that ended before they were answered, by id. */
  abandoned: unknown[]
  close(): Promise<void>
}

export type Answering = (received: Received, response: ServerResponse) => void

export async function endpoint(answering: Answering): Promise<Endpoint> {
  const received: Received[] = []
  const abandoned: unknown[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
    const one = { url: request.url ?? '', headers: request.headers, body }
    received.push(one)
    response.once('close', () => response.writableFinished || abandoned.push(body.id))
    answering(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  cleanUp(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, abandoned, close }
}

export function json(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

export function problem(
  response: ServerResponse,
  status: number,
  fields: object,
  headers: Record<string, string> = {},
) {
  json(response, { status, ...fields }, status, { 'content-type': 'application/problem+json', ...headers })
}
