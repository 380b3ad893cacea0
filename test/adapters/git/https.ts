/** A git server over https, for tests. */
import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { newCertificate } from '../../support/certificate.ts'
import { cleanUp } from '../../support/clean-up.ts'

export interface GitServer {
  url: string
  /** The certificate, as GIT_SSL_CAINFO. */
  certificate: string
  /** Paths and `authorization` of the requests. */
  requests: { path: string; authorization: string | undefined }[]
  /** Answers instead of git. It returns false to let git answer. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** Serves the repositories below `folder` with git-http-backend. */
export async function startGitServer(folder: string): Promise<GitServer> {
  const { key, cert, path } = newCertificate()
  const server = createServer({ key, cert }, (request, response) => {
    serving.requests.push({ path: request.url ?? '', authorization: request.headers.authorization })
    if (!serving.answer(request, response)) backend(folder, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const serving: GitServer = {
    url: `https://127.0.0.1:${port}`,
    certificate: path,
    requests: [],
    answer: () => false,
  }
  return serving
}

function backend(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'https://host')
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      PATH: process.env.PATH ?? '',
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/dev/null',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  let head: Buffer | undefined = Buffer.alloc(0)
  child.stdout.on('data', (bytes: Buffer) => {
    if (head === undefined) {
      response.write(bytes)
      return
    }
    head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(': ')
      if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
    head = undefined
  })
  child.stdout.on('end', () => response.end())
}
