/** A small endpoint with OpenAI's chat API that judges pairs as told, and misbehaves on request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AskedJudge {
  model: string
  messages: { role: string; content: string }[]
  temperature?: number
  response_format?: object
}

interface Pair {
  newer: { title: string; text: string }
  older: { title: string; text: string }
}

export interface JudgeEndpoint {
  /** The value for PRECEDENT_JUDGE_URL. */
  url: string
  asked: AskedJudge[]
  headers: IncomingMessage['headers'][]
  /** The pairs of all requests. */
  pairs(): Pair[]
  /** Responds like this from now on. Default: every pair is unrelated. */
  respond(how: (asked: AskedJudge, response: ServerResponse) => void): void
  stop(): Promise<void>
}

export async function judgeEndpoint(): Promise<JudgeEndpoint> {
  const asked: AskedJudge[] = []
  const headers: IncomingMessage['headers'][] = []
  let responding: (asked: AskedJudge, response: ServerResponse) => void = saying({ label: 'unrelated' })
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const question = JSON.parse(Buffer.concat(chunks).toString()) as AskedJudge
    asked.push(question)
    headers.push(request.headers)
    responding(question, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    headers,
    pairs: () => asked.map(({ messages }) => JSON.parse(messages.at(-1)?.content ?? '') as Pair),
    respond(how) {
      responding = how
    },
    stop: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

/** The response with this text as the answer of the model. An object becomes JSON. */
export const saying =
  (content: unknown) =>
  (_: AskedJudge, response: ServerResponse): void => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }))
  }

export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (_: AskedJudge, response: ServerResponse): void =>
    void response.writeHead(code, headers).end('{"error": "no"}')
