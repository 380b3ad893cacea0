/** A server that takes signed requests, verifies them with the reference library, and answers as a test says. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { cleanUp } from './clean-up.ts'

export const webhookSecret = `whsec_${Buffer.from('a secret of 32 bytes of the test').toString('base64')}`

export interface Received {
  id: string
  /** Parsed, once its signature was verified. */
  body: Record<string, unknown>
  headers: IncomingMessage['headers']
}

export type Answer = (response: ServerResponse, received: Received) => unknown

export interface TestReceiver {
  url: string
  /** All requests with a valid signature. */
  received: Received[]
  /** Requests that the library refused. */
  refused: string[]
  /** Open connections. */
  sockets: Set<Socket>
  /** How it answers from now on. */
  answer(how: Answer): void
  stop(): Promise<void>
}

/** Answers 204 until it is told otherwise. `tls`: the key and the certificate, PEM. */
export async function startReceiver({
  tls,
  port = 0,
}: {
  tls?: { key: string; cert: string }
  port?: number
} = {}): Promise<TestReceiver> {
  const webhook = new Webhook(webhookSecret)
  const received: Received[] = []
  const refused: string[] = []
  const sockets = new Set<Socket>()
  let answer: Answer = (response) => response.writeHead(204).end()

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    try {
      const body = webhook.verify(text, request.headers as Record<string, string>) as Received['body']
      const one = { id: String(request.headers['webhook-id']), body, headers: request.headers }
      received.push(one)
      answer(response, one)
    } catch (error) {
      refused.push(String(error))
      response.writeHead(401).end()
    }
  }
  // a client that closes its connection ends the loop above with an error
  const handle = (request: IncomingMessage, response: ServerResponse) => void take(request, response).catch(() => {})
  const server = tls ? createTlsServer(tls, handle) : createServer(handle)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  const stop = () =>
    new Promise<void>((closed) => {
      server.close(() => closed())
      for (const socket of sockets) socket.destroy()
    })
  cleanUp(stop)
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/agent?of=tests`,
    received,
    refused,
    sockets,
    answer(how) {
      answer = how
    },
    stop,
  }
}
