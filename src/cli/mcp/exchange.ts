/** Sends one frame to the MCP endpoint of a service over HTTP, and reads the messages of its answer. */
import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Answer } from '../client/refusals.ts'
import type { Frame } from './frame.ts'

export interface Target {
  /** With its protocol, or the path of a socket. */
  address: RequestOptions
  /** Value of the header. */
  authorization: string
}

export interface Sender {
  /**
   * Sends the frame, and passes each message of the answer on as one line of JSON. Resolves with an answer of another
   * kind, such as a problem, or with undefined. Rejects with ConnectionLost.
   */
  send(frame: Frame, headers: Readonly<Record<string, string>>, options: SendOptions): Promise<Answer | undefined>
  close(): void
}

export interface SendOptions {
  target: Target
  signal: AbortSignal
  onMessage: (line: string) => void
}

/** No answer came, or only a part of it. */
export class ConnectionLost extends Error {
  /** The service had closed a connection that was kept for another request. It has not read this one. */
  readonly wasIdle: boolean
  readonly timedOut: boolean
  constructor(cause: Error, more: { wasIdle: boolean; timedOut: boolean }) {
    super(cause.message, { cause })
    this.wasIdle = more.wasIdle
    this.timedOut = more.timedOut
  }
}

/** ms without a byte. The longest wait of a call is 30 s, and a stream sends a comment every 15 s. */
const mostSilence = 120_000
/** Bytes of an answer that is not a stream, and of one event of a stream. */
const mostAnswer = 64 * 1024 * 1024
/** Connections at one time. More requests wait for a free one. */
const maxSockets = 32

export function sender(): Sender {
  const options = { keepAlive: true, maxSockets }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }

  return {
    async send(frame, headers, { target, signal, onMessage }) {
      const response = await post(frame, headers, target, agents, signal)
      try {
        return await answerOf(response, frame, onMessage)
      } catch (error) {
        throw new ConnectionLost(error as Error, { wasIdle: false, timedOut: false })
      }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function post(
  frame: Frame,
  headers: Readonly<Record<string, string>>,
  { address, authorization }: Target,
  agents: { http: HttpAgent; https: HttpsAgent },
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = address.protocol === 'https:'
  const [request, agent] = isSecure ? [requestHttps, agents.https] : [requestHttp, agents.http]
  const all = {
    ...headers,
    authorization,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': frame.bytes.length,
  }
  return new Promise((resolve, reject) => {
    let timedOut = false
    const sent = request({ ...address, method: 'POST', headers: all, agent, signal, timeout: mostSilence })
    sent.once('response', resolve)
    sent.once('timeout', () => {
      timedOut = true
      sent.destroy(new Error('it did not answer in time'))
    })
    // also after the response has begun: its reader sees the error too
    sent.on('error', (error) => reject(new ConnectionLost(error, { wasIdle: sent.reusedSocket, timedOut })))
    sent.end(frame.bytes)
  })
}

async function answerOf(
  response: IncomingMessage,
  frame: Frame,
  onMessage: (line: string) => void,
): Promise<Answer | undefined> {
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  const status = response.statusCode ?? 0
  const ok = status >= 200 && status < 300
  if (ok && type === 'text/event-stream') {
    for await (const data of eventsOf(response)) onMessage(inOneLine(data))
    return undefined
  }
  const text = await textOf(response)
  if (type === 'application/json' && (ok || isRpc(text))) {
    onMessage(inOneLine(text))
    return undefined
  }
  if (ok && frame.ids.length === 0) return undefined
  return { status, ok, text, retryAfter: response.headers['retry-after'] ?? null }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > mostAnswer) throw new Error('its answer is longer than 64 MiB')
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The data of each event with the default name. */
async function* eventsOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding('utf8')
  let rest = ''
  let data: string[] = []
  let name = ''
  for await (const chunk of response as AsyncIterable<string>) {
    rest += chunk
    if (rest.length > mostAnswer) throw new Error('an event of its answer is longer than 64 MiB')
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0 && (name === '' || name === 'message')) yield data.join('\n')
        data = []
        name = ''
      } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      else if (line.startsWith('event:')) name = line.slice(6).trim()
    }
  }
}

function isRpc(text: string): boolean {
  try {
    const value = JSON.parse(text) as { jsonrpc?: unknown } | null
    return value?.jsonrpc === '2.0'
  } catch {
    return false
  }
}

/** In JSON, a line break can only stand between two tokens. */
function inOneLine(json: string): string {
  return json.replace(/[\r\n]+/g, ' ').trim()
}
