/**
 * A proxy between a process and MongoDB. It reports one command: before it reaches the server, or after the server has
 * answered and before the answer reaches the process.
 */
import { connect, createServer, type Socket } from 'node:net'

export interface Step {
  /** For example `insert`. */
  command: string
  collection: string
  /** before: the server never sees the command. after: the process never sees the answer. */
  when: 'before' | 'after'
}

export interface Proxy {
  url: string
  close(): void
}

/** Calls `reached` once at the step, and forwards nothing after it. */
export async function proxyTo(url: string, step: Step, reached: () => void): Promise<Proxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isReached = false
  const reach = () => {
    if (!isReached) reached()
    isReached = true
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let awaited: number | undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
    client.on(
      'data',
      messages((message) => {
        if (isReached) return
        const asked = commandOf(message)
        const isStep = asked?.command === step.command && asked.collection === step.collection
        if (isStep && step.when === 'before') return reach()
        if (isStep) awaited = message.readInt32LE(4)
        upstream.write(message)
      }),
    )
    upstream.on(
      'data',
      messages((message) => {
        if (isReached) return
        if (awaited !== undefined && message.readInt32LE(8) === awaited) return reach()
        client.write(message)
      }),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const proxied = new URL(url)
  proxied.port = String((server.address() as { port: number }).port)
  return {
    url: proxied.href,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Splits a stream into messages of MongoDB's wire protocol. Each begins with its length. */
function messages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let held = Buffer.alloc(0)
  return (chunk) => {
    held = Buffer.concat([held, chunk])
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const length = held.readInt32LE(0)
      take(Buffer.from(held.subarray(0, length)))
      held = held.subarray(length)
    }
  }
}

const opMsg = 2013

/** The first element of an OP_MSG's body: its name is the command, its value the collection. */
function commandOf(message: Buffer): { command: string; collection: string } | undefined {
  const body = 16 + 4 + 1
  if (message.readInt32LE(12) !== opMsg || message[body - 1] !== 0 || message[body + 4] !== 2) return undefined
  const end = message.indexOf(0, body + 5)
  const length = message.readInt32LE(end + 1)
  return {
    command: message.toString('utf8', body + 5, end),
    collection: message.toString('utf8', end + 5, end + 4 + length),
  }
}
