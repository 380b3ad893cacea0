/** A small endpoint with OpenAI's embeddings API that misbehaves on request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hashedVector } from './hashed-vectors.ts'

export const endpointDimensions = 256

export interface Asked {
  model: string
  input: string[]
  encoding_format: string
  dimensions?: number
}

/** Replaces the normal response; false: respond normally. */
export type Misbehaving = (asked: Asked, response: ServerResponse, request: IncomingMessage) => boolean

export interface Endpoint {
  /** The value for PRECEDENT_EMBEDDER_URL. */
  url: string
  port: number
  /** All requests so far. */
  asked: Asked[]
  /** The texts of all requests. */
  texts(): string[]
  /** Misbehaves from now on; undefined: responds normally. */
  misbehave(how: Misbehaving | undefined): void
  /** Stops listening. */
  stop(): Promise<void>
}

/** `port`: set it to start again on the same port. */
export async function embeddingEndpoint(port = 0): Promise<Endpoint> {
  const asked: Asked[] = []
  let misbehaving: Misbehaving | undefined
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const question = JSON.parse(Buffer.concat(chunks).toString()) as Asked
    asked.push(question)
    if (misbehaving?.(question, response, request)) return
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(question)))
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const bound = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${bound}/v1`,
    port: bound,
    asked,
    texts: () => asked.flatMap(({ input }) => input),
    misbehave(how) {
      misbehaving = how
    },
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

export function answerTo({ model, input, dimensions = endpointDimensions }: Asked) {
  const data = input.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: Array.from(hashedVector(text, dimensions)),
  }))
  return { object: 'list', model, data, usage: { prompt_tokens: 0, total_tokens: 0 } }
}

/** A response with this status and no useful body. */
export const answering =
  (status: number, headers: Record<string, string> = {}): Misbehaving =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end('{"error": "no"}')
    return true
  }

/** A response with this body. */
export const saying =
  (body: (asked: Asked) => string): Misbehaving =>
  (asked, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body(asked))
    return true
  }
