/**
 * The baseline of graphs: bare Koa that follows supersessions with recursive queries of SQLite, and answers nodes and
 * edges. No audiences, revisions or pending supersessions. Arguments: the folder of its file, and the number of
 * decisions.
 */
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import Koa from 'koa'
import { olderThan, shaped } from '../shapes.ts'
import { decisionText } from '../texts.ts'

const mostNodes = 500
const [folder, count] = [process.argv[2] as string, Number(process.argv[3])]
const database = new DatabaseSync(join(folder, 'graph.sqlite'))
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE decisions (id INTEGER PRIMARY KEY, title TEXT NOT NULL, judgment TEXT NOT NULL, decided_at TEXT NOT NULL);
  CREATE TABLE edges (newer INTEGER NOT NULL, older INTEGER NOT NULL, PRIMARY KEY (newer, older)) WITHOUT ROWID;
  CREATE INDEX by_older ON edges (older, newer);
  BEGIN
`)
const insert = database.prepare('INSERT INTO decisions VALUES (?, ?, ?, ?)')
const link = database.prepare('INSERT INTO edges VALUES (?, ?)')
for (let n = 0; n < count; n++) {
  const { title, judgment, decided_at } = decisionText(n)
  insert.run(n, title, judgment, decided_at)
  if (n < shaped) for (const older of olderThan(n)) link.run(n, older)
}
database.exec('COMMIT')

const walk = (from: string, to: string) => `SELECT * FROM (
  WITH RECURSIVE reached (id, depth) AS (
    VALUES (?1, 0) UNION SELECT ${to}, depth + 1 FROM reached JOIN edges ON ${from} = reached.id WHERE depth < ?2)
  SELECT id, min(depth) AS depth FROM reached GROUP BY id)`
const nodesAround = database.prepare(`
  SELECT id, min(depth) AS depth, title, decided_at
  FROM (${walk('newer', 'older')} UNION ALL ${walk('older', 'newer')}) JOIN decisions USING (id)
  GROUP BY id ORDER BY depth, id LIMIT ${mostNodes}`)
const edgesBetween = database.prepare(`
  WITH nodes AS (SELECT value AS id FROM json_each(?))
  SELECT newer, older FROM edges WHERE newer IN (SELECT id FROM nodes) AND older IN (SELECT id FROM nodes)`)

const app = new Koa()
app.use((ctx) => {
  const root = Number(ctx.path.slice(ctx.path.lastIndexOf('/') + 1))
  const nodes = nodesAround.all(root, Number(ctx.query.depth)) as { id: number }[]
  ctx.body = { nodes, edges: edgesBetween.all(JSON.stringify(nodes.map(({ id }) => id))) }
})

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('disconnect', () => {
  database.close()
  process.exit(0)
})
