/** A proxy in front of the real service that injects faults into some requests. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * none: the service answers. 503 and 429: the proxy answers. cut: the connection is closed before the request is sent on.
 * lost answer: the connection is closed after the service has answered. no wait: the service is not asked to wait.
 */
export type Fault = 'none' | '503' | '429' | 'cut' | 'lost answer' | 'no wait'

export interface FaultyProxy {
  url: string
  /** Method and path of every request, in order. */
  seen: string[]
  close(): Promise<void>
}

export async function startFaultyProxy(
  target: string,
  faultOf: (request: string, number: number) => Fault,
): Promise<FaultyProxy> {
  const seen: string[] = []
  const server = createServer((from, to) => {
    const request = `${from.method} ${from.url}`
    seen.push(request)
    const fault = faultOf(request, seen.length - 1)
    if (fault === 'cut') from.socket.destroy()
    else if (fault === '503' || fault === '429') refuse(Number(fault), to)
    else forward(target, from, to, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function refuse(status: number, to: ServerResponse): void {
  to.writeHead(status, { 'retry-after': '0', 'content-type': 'text/html' }).end('<h1>busy</h1>')
}

function forward(target: string, from: IncomingMessage, to: ServerResponse, fault: Fault): void {
  const { host: _, prefer, ...others } = from.headers
  const headers = prefer === undefined || fault === 'no wait' ? others : { ...others, prefer }
  const onward = send(target + from.url, { method: from.method, headers }, (answer) => {
    if (fault === 'lost answer') {
      answer.resume().once('end', () => from.socket.destroy())
      return
    }
    to.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(to)
  })
  onward.once('error', () => from.socket.destroy())
  from.pipe(onward)
}
