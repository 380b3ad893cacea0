/**
 * Measures the code of a connected repository of 10,000 files with 250,000 functions: its first index, a push of ten
 * files, searches beside 50 writers of memories, and the memory of an idle service.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCodeParser } from '../../../src/adapters/code-parser/parser.ts'
import { memoriesPath } from '../calls.ts'
import { get, openClient, post, successful, type Target } from '../client.ts'
import { inFolder, withService } from '../processes.ts'
import { median, percentile, type Row, row } from '../row.ts'
import { memoryText, randomOf } from '../texts.ts'
import { idleMegabytes } from './footprint.ts'

const files = 10_000
const functionsOfFile = 25
/** Files that the parser reads alone. */
const parsedAlone = 500
const changed = 10
const pushes = 5
const writers = 50
/** ms of writing, without searches and beside them. */
const writing = 15_000
const searchers = 2
const never = new AbortController().signal

export async function* code(): AsyncIterable<Row> {
  yield* await inFolder(async (folder) => {
    const repository = join(folder, 'repository')
    const megabytes = makeRepository(repository)
    const config = join(folder, 'precedent.yaml')
    // JSON is YAML
    writeFileSync(
      config,
      JSON.stringify({ repositories: { poll: '1s', connect: [{ name: 'bench/large', url: repository }] } }),
    )
    const alone = await parseSpeed()
    const rows = await withService(
      async (service) => {
        const began = performance.now()
        await indexed(service, commitOf(repository))
        const seconds = (performance.now() - began) / 1000
        const found = [row('code_first_index', megabytes / seconds, 'MB/s', null, alone)]
        const times: number[] = []
        for (let n = 0; n < pushes; n++) times.push(await push(service, repository, n))
        found.push(row('code_push_of_10_to_visible', median(times), 'ms', null))
        return [...found, ...(await besideWriters(service))]
      },
      { env: { PRECEDENT_CONFIG: config } },
    )
    const empty = join(folder, 'empty')
    git(folder, 'init', '-q', '-b', 'main', empty)
    writeFileSync(config, JSON.stringify({ repositories: { connect: [{ name: 'bench/empty', url: empty }] } }))
    const [none, one] = [await idleMegabytes(), await idleMegabytes({ PRECEDENT_CONFIG: config })]
    return [...rows, row('code_memory_idle_one_repository', one, 'MB', null, none)]
  })
}

/** MB of its files. */
function makeRepository(path: string): number {
  let bytes = 0
  for (let n = 0; n < files; n++) {
    const text = fileText(n, 0)
    const file = join(path, fileName(n))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    bytes += text.length
  }
  git(path, 'init', '-q', '-b', 'main')
  commit(path)
  return bytes / 1e6
}

const fileName = (n: number) => `src/part${n % 100}/module${n}.ts`

/** About 8 KB. `version`: changes the body of its functions. */
function fileText(n: number, version: number): string {
  return Array.from({ length: functionsOfFile }, (_, at) => {
    const words = wordsOf(n, at)
    const name = words
      .slice(0, 3)
      .map((word, i) => (i === 0 ? word : word.replace(/^./, (first) => first.toUpperCase())))
    return [
      `/** ${words.slice(3, 15).join(' ')}. */`,
      `export function ${name.join('')}${n}x${at}(${words[15]}: number): number {`,
      `  const ${words[16]}Value = ${words[15]} * ${n} + ${at + version}`,
      `  return ${words[16]}Value`,
      '}',
      '',
    ].join('\n')
  }).join('\n')
}

/** The words of the function at this place of the nth file. The first three are its name, the next twelve its comment. */
function wordsOf(n: number, at: number): string[] {
  const random = randomOf(n * functionsOfFile + at)
  return memoryText(Math.floor(random() * 1e6))
    .replace(/[^a-z ]/gi, '')
    .toLowerCase()
    .split(' ')
}

/** 3 to 12 words of the comment of some function. The longest comes first, so that not all of them are function words. */
function queryOf(n: number): string {
  const random = randomOf(0x5eed + n)
  const comment = wordsOf(Math.floor(random() * files), Math.floor(random() * functionsOfFile)).slice(3, 15)
  const [longest = ''] = comment.toSorted((a, b) => b.length - a.length)
  return [longest, ...comment.slice(0, 2 + Math.floor(random() * 10))].join(' ')
}

function git(path: string, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com', ...args], { cwd: path })
    .toString()
    .trim()
}

function commit(path: string): void {
  git(path, 'add', '-A')
  git(path, 'commit', '-qm', 'change')
}

const commitOf = (path: string) => git(path, 'rev-parse', 'HEAD')

/** MB/s of the parser, without git, stores and search. */
async function parseSpeed(): Promise<number> {
  const parser = openCodeParser()
  try {
    const parse = (n: number) => {
      const bytes = Buffer.from(fileText(n, 0))
      return parser.parse({ path: fileName(n), bytes }, { cpp: false }, never).then(() => bytes.length)
    }
    await parse(0)
    const began = performance.now()
    let bytes = 0
    for (let n = 0; n < parsedAlone; n++) bytes += await parse(n)
    return bytes / 1e6 / ((performance.now() - began) / 1000)
  } finally {
    await parser.close()
  }
}

async function indexed(target: Target, wanted: string): Promise<void> {
  const client = await openClient(target)
  for (;;) {
    const { body } = successful(await client.send(get(target, '/api/v2/repos')))
    const [one] = (JSON.parse(body) as { items: { indexed: { commit: string } | null; error?: string }[] }).items
    if (one?.error !== undefined) throw new Error(one.error)
    if (one?.indexed?.commit === wanted) break
    await sleep(20)
  }
  client.close()
}

/** ms until a push of some changed files is shown. Up to a second of it is the wait for the next look at the remote. */
async function push(target: Target, repository: string, nth: number): Promise<number> {
  for (let n = 0; n < changed; n++) {
    const file = nth * changed + n
    writeFileSync(join(repository, fileName(file)), fileText(file, nth + 1))
  }
  commit(repository)
  const began = performance.now()
  await indexed(target, commitOf(repository))
  return performance.now() - began
}

async function besideWriters(target: Target): Promise<Row[]> {
  await writeFor(target, 0, writing / 5)
  const alone = await writeFor(target, 1, writing)
  const state = { isOver: false }
  const searching = Promise.all(Array.from({ length: searchers }, (_, n) => searchUntil(state, target, n)))
  const beside = await writeFor(target, 2, writing)
  state.isOver = true
  const times = (await searching).flat()
  return [
    row('code_search_250k_beside_writers_p95', percentile(times, 95), 'ms', { at_most: 25 }),
    row('code_search_250k_beside_writers_median', median(times), 'ms', null),
    row('code_writers_beside_searches_to_applied', median(beside), 'ms', { at_most: 1.3 }, median(alone)),
  ]
}

/** ms of each write from its request until it is applied. */
async function writeFor(target: Target, part: number, ms: number): Promise<number[]> {
  const until = performance.now() + ms
  const times = await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      const client = await openClient(target)
      const own: number[] = []
      for (let n = 0; performance.now() < until; n++) {
        const body = JSON.stringify({ kind: 'fact', content: memoryText(part * 1e6 + writer * 10_000 + n) })
        const headers = { 'Idempotency-Key': `code-${part}-${writer}-${n}`, Prefer: 'wait=30' }
        const began = performance.now()
        successful(await client.send(post(target, memoriesPath, body, headers)))
        own.push(performance.now() - began)
      }
      client.close()
      return own
    }),
  )
  return times.flat()
}

async function searchUntil(state: { isOver: boolean }, target: Target, first: number): Promise<number[]> {
  const client = await openClient(target)
  const times: number[] = []
  for (let n = first; !state.isOver; n += searchers) {
    const q = encodeURIComponent(queryOf(n))
    const began = performance.now()
    successful(await client.send(get(target, `/api/v2/repos/search?q=${q}`)))
    times.push(performance.now() - began)
  }
  client.close()
  return times
}
