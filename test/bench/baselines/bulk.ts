/**
 * The baseline of imports: one process inserts decisions into a table and an FTS5 index, in transactions of a thousand.
 * No HTTP, no validation, no look-up of ids. Arguments: the folder of its file, the first decision, the count. The time
 * to make the texts is not included.
 */
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { decisionText } from '../texts.ts'

const rowsAtOnce = 1000

const [, , folder, first, count] = process.argv
const database = new DatabaseSync(join(folder as string, 'bulk.sqlite'))
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE decisions (
    number INTEGER PRIMARY KEY, external_id TEXT UNIQUE NOT NULL, title TEXT NOT NULL, judgment TEXT NOT NULL,
    context TEXT NOT NULL, consequences TEXT NOT NULL, decided_at TEXT NOT NULL, decided_by TEXT NOT NULL,
    category TEXT NOT NULL, significance TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE decisions_text USING fts5 (
    title, judgment, context, consequences, content = 'decisions', content_rowid = 'number', tokenize = 'porter unicode61'
  );
`)
const insertRow = database.prepare('INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
const insertText = database.prepare(
  'INSERT INTO decisions_text (rowid, title, judgment, context, consequences) VALUES (?, ?, ?, ?, ?)',
)

let ms = 0
const end = Number(first) + Number(count)
for (let from = Number(first); from < end; from += rowsAtOnce) {
  const decisions = Array.from({ length: Math.min(rowsAtOnce, end - from) }, (_, n) => decisionText(from + n))
  const began = performance.now()
  database.exec('BEGIN')
  for (const [offset, one] of decisions.entries()) {
    const { external_id, title, judgment, context, consequences, decided_at, category, significance } = one
    const number = from + offset + 1
    const by = JSON.stringify(one.decided_by)
    insertRow.run(number, external_id, title, judgment, context, consequences, decided_at, by, category, significance)
    insertText.run(number, title, judgment, context, consequences)
  }
  database.exec('COMMIT')
  ms += performance.now() - began
}
database.close()
process.send?.({ ms })
process.disconnect?.()
