import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { httpExecutor } from '../../../src/adapters/http-executor/executor.ts'
import { systemClock as clock } from '../../../src/adapters/system-clock.ts'
import type { Ending, ExecutorSession, Line } from '../../../src/ports/executor.ts'
import { newCertificate } from '../../support/certificate.ts'
import { cleanUp } from '../../support/clean-up.ts'
import { startReceiver, type TestReceiver, webhookSecret } from '../../support/receiver.ts'
import { repository } from '../../support/repository.ts'

let receiver: TestReceiver
beforeEach(async () => {
  receiver = await startReceiver()
})

const secret = webhookSecret
const document = { phase: 'run', run: { id: 'run-7', number: 1 }, fence: 3, task: { name: 'Tidy up 中 "now"' } }
const id = '0199aaaa-0000-7000-8000-000000000001-3'

async function begin(url = receiver.url, silence?: number, signing = secret): Promise<ExecutorSession> {
  const session = await httpExecutor({ url, secret: signing }, clock, silence).open({ id, timeLimitMs: 600_000 })
  session.start({ document, key: 'svc_run_of_the_session' }, clock.elapsed() + 600_000)
  return session
}

async function linesOf({ lines }: ExecutorSession): Promise<string[]> {
  const texts: string[] = []
  for await (const { text } of lines) texts.push(text)
  return texts
}

async function outcome(url?: string, silence?: number): Promise<{ ending: Ending; lines: string[] }> {
  const session = await begin(url, silence)
  return { lines: await linesOf(session), ending: await session.ended }
}

const failed = (message: unknown) => ({ how: 'failed', exitCode: null, message })

/** A server that does not have to speak HTTP. Returns its url. */
async function rawServer(take: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => take(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  cleanUp(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const streaming = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/x-ndjson' })

describe('the request of an executor over HTTP', () => {
  it('holds the document and the key, is signed, and names the session', async () => {
    const { ending } = await outcome()
    expect(ending).toEqual({ how: 'done' })
    expect(receiver.refused).toEqual([])
    expect(receiver.received).toMatchObject([
      {
        id,
        body: { ...document, key: 'svc_run_of_the_session' },
        headers: { accept: 'application/x-ndjson', 'content-type': 'application/json' },
      },
    ])
    expect(receiver.received[0]?.headers.authorization).toBeUndefined()
  })

  it('is refused by a receiver that has another secret', async () => {
    const other = `whsec_${Buffer.from('another secret of thirty-two byt').toString('base64')}`
    expect(await (await begin(receiver.url, undefined, other)).ended).toEqual(failed('The receiver answered 401.'))
    expect(receiver.received).toEqual([])
  })
})

describe('the response of an executor over HTTP', () => {
  it.each([400, 404, 410, 429, 500, 503])('fails with status %i, and shows nothing of its body', async (status) => {
    receiver.answer((response) => response.writeHead(status, 'shown nowhere').end('{"type":"result"}\n'))
    expect(await outcome()).toEqual({ lines: [], ending: failed(`The receiver answered ${status}.`) })
  })

  it.each([301, 302, 303, 307, 308])('fails with status %i, and is not looked for elsewhere', async (status) => {
    const elsewhere = await startReceiver()
    receiver.answer((response) => response.writeHead(status, { location: elsewhere.url }).end())
    const { ending } = await outcome()
    expect(ending).toEqual(failed(`The receiver answered ${status}: it redirects, and redirects are not followed.`))
    expect(elsewhere.received).toEqual([])
    expect(elsewhere.refused).toEqual([])
  })

  it.each([
    ['an empty stream', 200, ''],
    ['a stream', 200, 'one\ntwo\n'],
    ['another status of success', 202, 'one\n'],
  ])('is done with %s', async (_, status, body) => {
    receiver.answer((response) => response.writeHead(status).end(body))
    expect(await outcome()).toEqual({ lines: body.split('\n').slice(0, -1), ending: { how: 'done' } })
  })

  it('fails if the connection closes within a line, and gives the lines before', async () => {
    receiver.answer((response) => streaming(response).write('one\n{"type":"res', () => response.socket?.end()))
    const { lines, ending } = await outcome()
    expect(lines).toEqual(['one', '{"type":"res'])
    expect(ending).toEqual(failed('The connection closed before the response was complete.'))
  })

  it('fails if the connection closes between two lines', async () => {
    receiver.answer((response) => streaming(response).write('{"type":"result"}\n', () => response.socket?.end()))
    expect((await outcome()).ending).toEqual(failed('The connection closed before the response was complete.'))
  })

  it('fails if it is shorter than its Content-Length', async () => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"type":"result"}\n', () => response.socket?.end())
    })
    expect((await outcome()).ending).toEqual(failed('The connection closed before the response was complete.'))
  })

  it('fails if the connection was reset while nobody read its lines', async () => {
    let reset = false
    receiver.answer((response) => {
      streaming(response).write('x\n'.repeat(5_000_000))
      setTimeout(() => {
        response.socket?.resetAndDestroy()
        reset = true
      }, 200)
    })
    const session = await begin()
    await expect.poll(() => reset).toBe(true)
    await linesOf(session)
    expect(await session.ended).toEqual(failed(expect.stringMatching(/connection/i)))
  })

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy(), /connection to the receiver failed/],
    ['closes the connection', (socket: Socket) => socket.end(), /connection to the receiver failed/],
    ['does not speak HTTP', (socket: Socket) => socket.end('SSH-2.0-secret\r\n\r\n'), /is not HTTP \(HPE_/],
    ['switches protocols', (s: Socket) => s.write('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'), /./],
    [
      'does not tell the end',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{"type":"result"}\n'),
      /neither Content-Length nor chunked/,
    ],
  ])('fails if the receiver %s', async (_, how, message) => {
    const { ending, lines } = await outcome(await rawServer(how))
    expect(ending).toEqual(failed(expect.stringMatching(message)))
    expect(lines).toEqual([])
    expect(JSON.stringify(ending)).not.toContain('secret')
  })

  it('fails if nobody listens', async () => {
    await receiver.stop()
    expect((await outcome()).ending).toEqual(failed('The connection to the receiver failed (ECONNREFUSED).'))
  })

  it('fails if it is compressed', async () => {
    receiver.answer((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('one\n'))
    expect((await outcome()).ending).toEqual(failed('The receiver encoded its response.'))
  })
})

describe('a receiver that is silent', () => {
  it.each([
    ['does not answer', () => {}, 'The receiver did not answer for 0.3 s.'],
    ['sends no line', (response: ServerResponse) => streaming(response).flushHeaders(), 'sent no line for 0.3 s.'],
    ['sends bytes, but no whole line', trickle, 'sent no line for 0.3 s.'],
  ])('fails if it %s', async (_, how, message) => {
    receiver.answer(how)
    const { ending } = await outcome(receiver.url, 300)
    expect(ending).toEqual(failed(expect.stringContaining(message)))
    await expect.poll(() => receiver.sockets.size).toBe(0)
  })

  it('goes on if it sends empty objects, which are not lines', async () => {
    receiver.answer(async (response) => {
      streaming(response)
      for (let times = 0; times < 6; times++) {
        response.write(times % 2 === 0 ? '{}\n' : ' { } \r\n')
        await clock.sleep(700)
      }
      response.end('at last\n')
    })
    expect(await outcome(receiver.url, 3_000)).toEqual({ lines: ['at last'], ending: { how: 'done' } })
  })

  it('does not fail if it is silent because its lines are not read', async () => {
    const line = `${'x'.repeat(999)}\n`
    receiver.answer((response) => streaming(response).end(line.repeat(20_000)))
    const session = await begin(receiver.url, 2_000)
    const lines: Line[] = []
    for await (const one of session.lines) {
      if (lines.length === 0) await clock.sleep(4_000)
      lines.push(one)
    }
    expect(lines).toHaveLength(20_000)
    expect(await session.ended).toEqual({ how: 'done' })
  })
})

function trickle(response: ServerResponse): void {
  streaming(response)
  const timer = setInterval(() => response.write('x'), 50)
  response.once('close', () => clearInterval(timer))
}

describe('an executor over HTTP whose session ends early', () => {
  it('closes the connection, so that the receiver notices', async () => {
    let left = 0
    receiver.answer((response) => {
      streaming(response).write('begun\n')
      response.once('close', () => left++)
    })
    const session = await begin()
    expect((await session.lines[Symbol.asyncIterator]().next()).value?.text).toBe('begun')
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
    await expect.poll(() => left).toBe(1)
  })

  it('ends while its lines are not read', async () => {
    receiver.answer((response) => streaming(response).write('x\n'.repeat(5_000_000)))
    const session = await begin()
    const lines = session.lines[Symbol.asyncIterator]()
    expect((await lines.next()).value?.text).toBe('x')
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
    await expect.poll(() => receiver.sockets.size).toBe(0)
  })

  it('ends while a line without an end arrives', async () => {
    let written = 0
    receiver.answer(async (response) => {
      streaming(response)
      while (!response.destroyed) {
        await new Promise<void>((flushed) => response.write('x'.repeat(64 * 1024), () => flushed()))
        written += 64 * 1024
      }
    })
    const session = await begin()
    await expect.poll(() => written).toBeGreaterThan(1024 * 1024)
    session.end()
    expect(await session.ended).toEqual({ how: 'ended' })
  })
})

describe('an executor over TLS', () => {
  it('fails if nobody trusts the certificate', async () => {
    const secure = await startReceiver({ tls: newCertificate() })
    expect((await outcome(secure.url)).ending).toEqual(failed('TLS failed (DEPTH_ZERO_SELF_SIGNED_CERT).'))
    expect(secure.received).toEqual([])
  })

  it('fails if the receiver does not speak TLS', async () => {
    const { ending } = await outcome(receiver.url.replace('http:', 'https:'))
    expect(ending).toEqual(failed(expect.stringContaining('TLS failed')))
  })

  it('is done if the certificate is one that NODE_EXTRA_CA_CERTS names', async () => {
    const certificate = newCertificate()
    const secure = await startReceiver({ tls: certificate })
    expect(await endingInAProcess(secure.url, { NODE_EXTRA_CA_CERTS: certificate.path })).toEqual({ how: 'done' })
    expect(secure.received).toHaveLength(1)
  })

  it('fails if the certificate is of another host', async () => {
    const certificate = newCertificate('127.0.0.2')
    const { url, received } = await startReceiver({ tls: certificate })
    const ending = await endingInAProcess(url, { NODE_EXTRA_CA_CERTS: certificate.path })
    expect(ending).toEqual(failed('TLS failed (ERR_TLS_CERT_ALTNAME_INVALID).'))
    expect(received).toEqual([])
  })
})

it('an executor over HTTP uses no proxy of the environment', async () => {
  const proxy = await startReceiver()
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy']
  const environment = { ...Object.fromEntries(names.map((name) => [name, proxy.url])), NODE_USE_ENV_PROXY: '1' }
  expect(await endingInAProcess(receiver.url, environment)).toEqual({ how: 'done' })
  expect(receiver.received).toHaveLength(1)
  expect([proxy.received, proxy.refused]).toEqual([[], []])
})

/** The ending of a session in a new process of the build, because Node reads these variables at its start. */
async function endingInAProcess(url: string, env: Record<string, string>): Promise<unknown> {
  const built = join(repository, 'dist/src/adapters')
  const script = `
    import { httpExecutor } from '${built}/http-executor/executor.js'
    import { systemClock } from '${built}/system-clock.js'
    const executor = httpExecutor({ url: '${url}', secret: '${secret}' }, systemClock)
    const session = await executor.open({ id: '${id}', timeLimitMs: 60000 })
    session.start({ document: {}, key: 'svc_run_test' }, systemClock.elapsed() + 60000)
    console.log(JSON.stringify(await session.ended))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env })
  return JSON.parse(stdout)
}
