import { createServer, type IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { routes } from './routes.ts'
import { problem, toResponse } from './problems.ts'

export function serve(config: Config) {
  const server = createServer(async (request, response) => {
    try {
      const route = routes.find(({ method, path }) => method === request.method && path.test(request.url ?? ''))
      if (!route) throw problem(404, 'No such address')
      const body = await readBody(request, config.http.bodyLimitKb * 1024)
      const result = await route.handle(body, path(request, route.path))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    } catch (error) {
      toResponse(error, response)
    }
  })
  return server.listen(config.http.port)
}

/** Collects the chunks and gives up as soon as there are too many of them. */
async function readBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) throw problem(413, 'Request is too large')
    chunks.push(chunk)
  }
  return size === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

const path = (request: IncomingMessage, pattern: RegExp) => pattern.exec(request.url ?? '')?.slice(1) ?? []
