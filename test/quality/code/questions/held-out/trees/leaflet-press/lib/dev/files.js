import { existsSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'

const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.xml': 'application/xml' }

/** Dots in an address must not lead out of the folder. */
export function handle(request, response) {
  const wanted = normalize(decodeURIComponent(request.url.split('?')[0])).replace(/^(\.\.[/\\])+/, '')
  const file = join('public', wanted.endsWith('/') ? `${wanted}index.html` : wanted)
  if (!existsSync(file)) return response.writeHead(404).end('not here')
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
  response.end(readFileSync(file))
}
