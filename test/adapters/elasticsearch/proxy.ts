/** A proxy in front of a real Elasticsearch. It can answer requests, or items of a bulk request, itself. */
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to an item of a bulk request, or to one of several searches. */
export interface Refusal {
  status: number
  error: { type: string; reason: string }
}

/** The answer to a request. */
export interface Reply {
  status: number
  body: unknown
}

export interface Rules {
  /** Undefined: the item is sent to the server. `source`: the document as it was sent. */
  item?(id: string, source: string): Refusal | undefined
  /** Undefined: the request is sent to the server, once the promise resolves. */
  request?(path: string, body: string): Reply | undefined | Promise<Reply | undefined>
}

export interface ElasticProxy {
  url: string
  rules: Rules
  /** All requests so far. */
  seen: { path: string; bytes: number; authorization: string | undefined }[]
  close(): Promise<void>
}

export async function proxyBefore(url: string): Promise<ElasticProxy> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const proxy: ElasticProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rules: {},
    seen: [],
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '/' } = request
    const body = await textOf(request)
    proxy.seen.push({ path, bytes: Buffer.byteLength(body), authorization: request.headers.authorization })
    const reply = await proxy.rules.request?.(path, body)
    if (reply !== undefined) return send(response, reply.status, JSON.stringify(reply.body))
    if (!path.includes('/_bulk') || proxy.rules.item === undefined) return forward(request, path, body, response)
    await bulk(request, path, body, response, proxy.rules.item)
  }

  function forward(request: IncomingMessage, path: string, body: string, response: ServerResponse): Promise<void> {
    return ask(request, path, body).then(({ status, text }) => send(response, status, text))
  }

  function ask(request: IncomingMessage, path: string, body: string): Promise<{ status: number; text: string }> {
    const headers = { ...request.headers, 'content-length': Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const asked = requestOf(`${url}${path}`, { method: request.method, headers }, (answered) => {
        textOf(answered).then((text) => resolve({ status: answered.statusCode ?? 0, text }), reject)
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  async function bulk(
    request: IncomingMessage,
    path: string,
    body: string,
    response: ServerResponse,
    rule: NonNullable<Rules['item']>,
  ): Promise<void> {
    const lines = body.trimEnd().split('\n')
    const pairs = lines.flatMap((line, n) => (n % 2 === 0 ? [{ action: line, source: lines[n + 1] as string }] : []))
    const refusals = pairs.map(({ action, source }) => rule(JSON.parse(action).index._id, source))
    const passed = pairs.filter((_, n) => refusals[n] === undefined)
    const rest = passed.map(({ action, source }) => `${action}\n${source}\n`).join('')
    const forwarded = passed.length === 0 ? undefined : await ask(request, path, rest)
    if (forwarded !== undefined && forwarded.status !== 200) return send(response, forwarded.status, forwarded.text)
    const answered = forwarded === undefined ? { errors: false, items: [] } : JSON.parse(forwarded.text)
    const items = refusals.map((refusal) => (refusal === undefined ? answered.items.shift() : { index: refusal }))
    const errors = answered.errors || refusals.some((refusal) => refusal !== undefined)
    send(response, 200, JSON.stringify({ errors, items }))
  }

  return proxy
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function send(response: ServerResponse, status: number, text: string): void {
  const type = 'application/vnd.elasticsearch+json;compatible-with=8'
  response.writeHead(status, { 'content-type': type, 'x-elastic-product': 'Elasticsearch' }).end(text)
}
