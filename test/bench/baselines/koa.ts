/**
 * The baseline of single writes and reads: bare Koa. A POST makes one durable SQLite insert, a GET reads one row by id.
 * No authentication, no validation, no router, no log. Argument: the folder of its file.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import Koa from 'koa'

const database = new DatabaseSync(join(process.argv[2] as string, 'baseline.sqlite'))
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS rows (
    id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, content TEXT NOT NULL, state TEXT NOT NULL, created_at TEXT NOT NULL
  )
`)
const insert = database.prepare('INSERT INTO rows (id, kind, content, state, created_at) VALUES (?, ?, ?, ?, ?)')
const select = database.prepare('SELECT id, kind, content, state, created_at FROM rows WHERE id = ?')

const app = new Koa()
app.use(async (ctx) => {
  if (ctx.method === 'GET') {
    ctx.body = select.get(ctx.path.slice(ctx.path.lastIndexOf('/') + 1))
    return
  }
  const { kind, content } = JSON.parse(await bodyOf(ctx.req)) as { kind: string; content: string }
  const id = randomUUID()
  insert.run(id, kind, content, 'applied', new Date().toISOString())
  ctx.status = 202
  ctx.body = { receipt_id: id, state: 'applied' }
})

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => {
  // also keeps the connection from being garbage-collected; its statements alone do not
  database.close()
  process.exit(0)
})

function bodyOf(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    req.setEncoding('utf8')
    req.on('data', (chunk: string) => {
      text += chunk
    })
    req.on('end', () => resolve(text))
    req.on('error', reject)
  })
}
