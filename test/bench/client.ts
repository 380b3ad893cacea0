/**
 * A fast HTTP/1.1 client: keep-alive sockets, one request at a time on each. Node's own client takes longer for a
 * request than some of the measured servers.
 */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'

export interface Answered {
  status: number
  body: string
}

export interface Target {
  url: string
  /** Sent as bearer token; baselines ignore it. */
  key: string
}

export interface Client {
  /** Sends one request and reads the whole answer. Only one request at a time. */
  send(request: string): Promise<Answered>
  close(): void
}

export function get({ url, key }: Target, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

export function post({ url, key }: Target, path: string, body: string, headers: Record<string, string> = {}): string {
  const all = {
    Host: new URL(url).host,
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`
}

export async function openClient({ url }: Pick<Target, 'url'>): Promise<Client> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  const next = answersOf(socket)
  return {
    send(request) {
      const answer = next()
      socket.write(request)
      return answer
    },
    close: () => socket.destroy(),
  }
}

/**
 * Sends all requests over `callers` connections. Returns the answers in the order of the requests. Throws at the first
 * status of 400 or more.
 */
export async function sendAll(target: Target, requests: readonly string[], callers: number): Promise<Answered[]> {
  const answers: Answered[] = []
  let at = 0
  await Promise.all(
    Array.from({ length: Math.min(callers, requests.length) }, async () => {
      const client = await openClient(target)
      while (at < requests.length) {
        const mine = at++
        answers[mine] = successful(await client.send(requests[mine] as string))
      }
      client.close()
    }),
  )
  return answers
}

export function successful(answer: Answered): Answered {
  assert(answer.status < 400, `${answer.status}: ${answer.body}`)
  return answer
}

const separator = Buffer.from('\r\n\r\n')

/** Requires a Content-Length. All measured servers send it. */
function answersOf(socket: Socket): () => Promise<Answered> {
  let waiting: { resolve(answer: Answered): void; reject(error: Error): void } | undefined
  let chunks: Buffer[] = []
  let held = 0
  let wanted = 0
  let bodyAt = 0
  let status = 0

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    held += chunk.length
    if (held < wanted) return
    const all = chunks.length === 1 ? chunk : Buffer.concat(chunks, held)
    chunks = [all]
    if (wanted === 0) {
      const end = all.indexOf(separator)
      if (end < 0) return
      bodyAt = end + separator.length
      const head = all.toString('latin1', 0, end)
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      assert(length !== undefined, `an answer without Content-Length:\n${head}`)
      wanted = bodyAt + Number(length)
      if (held < wanted) return
    }
    const answer = { status, body: all.toString('utf8', bodyAt, wanted) }
    chunks = []
    held = 0
    wanted = 0
    const { resolve } = waiting as NonNullable<typeof waiting>
    waiting = undefined
    resolve(answer)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the connection was closed before it was answered')))
  return () =>
    new Promise((resolve, reject) => {
      assert(waiting === undefined, 'one request at a time')
      waiting = { resolve, reject }
    })
}
