/** Raw connections for attacks: sends any bytes and collects the answer. */
import { connect, type Socket } from 'node:net'

export interface Attacker {
  socket: Socket
  /** All received text. */
  got(): string
  send(bytes: string | Buffer): void
  /** Resolves when `pattern` has arrived or the connection has ended. */
  until(pattern: RegExp): Promise<string>
  ended: Promise<string>
}

const opened = new Set<Socket>()

export function attack(port: number, bytes: string | Buffer = ''): Promise<Attacker> {
  return new Promise((resolve) => {
    let got = ''
    const looks = new Set<() => void>()
    const socket = connect(port, '127.0.0.1', () => resolve(attacker))
    opened.add(socket)
    const ended = new Promise<string>((end) => socket.once('close', () => end(got)))
    socket.on('error', () => resolve(attacker))
    socket.on('data', (chunk) => {
      got += chunk.toString('latin1')
      for (const look of looks) look()
    })
    const attacker: Attacker = {
      socket,
      ended,
      got: () => got,
      send: (more) => void (socket.writable && socket.write(more)),
      until(pattern) {
        const seen = new Promise<string>((found) => {
          const look = () => pattern.test(got) && found(got)
          looks.add(look)
          look()
        })
        return Promise.race([seen, ended])
      },
    }
    if (bytes.length > 0) socket.write(bytes)
  })
}

/** Closes all connections after each test. */
export function closeAll(): void {
  for (const socket of opened) socket.destroy()
  opened.clear()
}

export function head(line: string, ...headers: string[]): string {
  return `${[line, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`
}

export const bearer = (key: string) => `Authorization: Bearer ${key}`
export const json = 'Content-Type: application/json'
export const length = (bytes: number) => `Content-Length: ${bytes}`
/** The status of the only answer. */
export const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
