import { watch } from 'node:fs'
import { createServer } from 'node:http'
import { build } from '../build.js'
import { handle } from './files.js'

const listeners = new Set()

export async function serve(options) {
  const at = options.indexOf('--port')
  const port = at < 0 ? 4000 : Number(options[at + 1])
  await build([], { drafts: true })
  watch('pages', { recursive: true }, debounce(rebuild, 150))
  createServer((request, response) => {
    if (request.url === '/_reload') listeners.add(response.writeHead(200, { 'content-type': 'text/event-stream' }))
    else handle(request, response)
  }).listen(port, () => console.log(`preview at http://localhost:${port}`))
}

async function rebuild() {
  await build([], { drafts: true })
  for (const response of listeners) response.write('data: changed\n\n')
}

/** Editors write a file several times when they save it; only the last of a burst counts. */
function debounce(action, wait) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(action, wait)
  }
}
