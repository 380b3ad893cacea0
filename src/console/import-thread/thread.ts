/**
 * Entry point of the thread that imports: it reads files as `precedent import` does, shows what it would import, and sends
 * it. The page stays usable meanwhile, whatever the files hold. If the page ends it, the next import continues.
 */
import { config } from 'zod'
import { createClient, longRetries } from '../../cli/client/client.ts'
import { findingsCollector } from '../../cli/import/found.ts'
import { each, fingerprintOf, type ImportSource, wholeFolder } from '../../cli/import/import-source.ts'
import { outcomeOf } from '../../cli/import/report.ts'
import { runImport } from '../../cli/import/run.ts'
import { Failure } from '../../cli/terminal/failure.ts'
import type { Progress } from '../../cli/terminal/progress.ts'
import type { ImportedRow } from '../../import/files/reading.ts'
import { formatOf, streamOfFile, streamOfTree } from '../../import/stream.ts'
import { browserSource } from './browser-source.ts'
import { openTranslator } from './browser-translator.ts'
import { fewAtOnce } from './few-at-once.ts'
import { openRun } from './kept-run.ts'
import type { FromThread, ToThread } from './messages.ts'
import { shownIn } from './shown.ts'

type Read = Extract<ToThread, { type: 'read' }>
type Import = Extract<ToThread, { type: 'import' }>

// without it, zod tries to make code from text, which the page forbids
config({ jitless: true })

/** ms. Progress is told at most so often. */
const tellEvery = 100

let opened: (() => Promise<ImportSource>) | undefined

addEventListener('message', async ({ data }: MessageEvent<ToThread>) => {
  try {
    if (data.type === 'read') await read(data)
    else await send(data)
  } catch (error) {
    const { message, details } = failureOf(error)
    tell({ type: 'failed', message, ...(typeof details.sent === 'number' && { sent: details.sent }) })
  }
})

function tell(message: FromThread): void {
  postMessage(message)
}

async function read(chosen: Read): Promise<void> {
  opened = await opening(chosen)
  const { name, format, rows } = await opened()
  const findings = findingsCollector(name, format)
  const shown = shownIn(format)
  for await (const row of rows) {
    findings.add(row)
    shown.add(row)
  }
  tell({ type: 'found', found: findings.found(), ...shown.all() })
}

/**
 * Returns a function that opens the source. It is called twice: for the dry run and for the import. A folder is read only
 * once, and kept. A file of JSON Lines or CSV is read again each time, because it may be too large to keep.
 */
async function opening(chosen: Read): Promise<() => Promise<ImportSource>> {
  const { files, root } = chosen
  const [only] = files
  const format = root === '' && files.length === 1 && only ? formatOf(only.path) : 'adr'
  if (!only || format === undefined) {
    throw new Failure(
      'usage',
      'usage',
      'It cannot be imported. Choose a folder, or .md, .rst, .adoc, .jsonl or .csv files.',
    )
  }
  const source = await browserSource(chosen, tellEach(files.length))
  const path = `${root}/${root === '' ? only.path : ''}`
  if (format !== 'adr') {
    const file = { name: only.path, chunks: () => chunksOf(only.file) }
    return async () => {
      const { rows } = streamOfFile(source, format, file)
      return { name: source.name, path, format, rows, fingerprint: () => fingerprintOf(file.chunks()) }
    }
  }
  const isOne = root === '' && files.length === 1
  const { rows } = await streamOfTree(source, '', {
    openTranslator: () => openTranslator(chosen.translator),
    ...(isOne && { only: only.path }),
  })
  const read: ImportedRow[] = []
  for await (const row of rows) read.push(row)
  return () => wholeFolder({ name: source.name, path, format, rows: each(read) })
}

function tellEach(of: number): () => void {
  let files = 0
  let told = 0
  return () => {
    files += 1
    if (performance.now() - told < tellEvery) return
    told = performance.now()
    tell({ type: 'reading', files, of })
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

async function send({ url, key }: Import): Promise<void> {
  if (opened === undefined) throw new Error('nothing was read')
  const began = performance.now()
  const signal = new AbortController().signal
  const progress = tellingProgress()
  const at = { url, apiKey: key, signal }
  // the first call is not retried, so that a wrong key fails at once
  await createClient({ ...at, retries: { busy: 0, unreachable: 0 } }).call({
    method: 'GET',
    path: '/v1/receipts?limit=1',
  })
  const source = await opened()
  const { hash, lines } = await source.fingerprint()
  const run = await openRun({ url, key, path: source.path, source: source.name, hash })
  const client = fewAtOnce(createClient({ ...at, retries: longRetries, onRetry: progress.onRetry }))
  progress.start(lines)
  const imported = await runImport(source, { client, signal, runKey: run.key, wait: true }, progress)
  await run.end()
  tell({
    type: 'ended',
    outcome: outcomeOf(imported),
    batchIds: imported.decisions.batchIds,
    seconds: (performance.now() - began) / 1000,
    isResumed: run.isResumed,
  })
}

function tellingProgress(): Progress {
  let of = 0
  let told = 0
  return {
    start(total = 0) {
      of = total
      tell({ type: 'progress', done: 0, of, beside: '' })
    },
    update(done, beside = '') {
      if (performance.now() - told < tellEvery) return
      told = performance.now()
      tell({ type: 'progress', done, of: Math.max(of, done), beside })
    },
    onRetry: (reason) => tell({ type: 'retrying', reason }),
    stop() {},
  }
}

function failureOf(error: unknown): Pick<Failure, 'message' | 'details'> {
  if (error instanceof Failure) return error
  return { message: error instanceof Error ? error.message : String(error), details: {} }
}
