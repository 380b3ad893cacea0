/**
 * Measures the code of a connected repository of 10,000 files, with some 200,000 symbols: its first index, a push of ten
 * files, searches beside 50 writers of memories, and the memory of an idle service.
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCodeParser } from '../../../src/adapters/code-parser/parser.ts'
import { repository } from '../../support/repository.ts'
import { memoriesPath } from '../calls.ts'
import { get, openClient, post, successful, type Target } from '../client.ts'
import { inFolder, withService } from '../processes.ts'
import { median, percentile, type Row, row } from '../row.ts'
import { memoryText, randomOf } from '../texts.ts'
import { idleMegabytes } from './footprint.ts'

const packages = join(repository, 'node_modules')
const isCode = /(?<!\.min)\.[cm]?[jt]s$/
/** Bytes. Larger files of packages are rather bundles than sources. */
const largest = 64 * 1024
const files = 10_000
const questions = 300
/** Files that the parser reads alone. */
const parsedAlone = 500
const changed = 10
const pushes = 5
const writers = 50
/** ms of writing, without searches and beside them. */
const writing = 20_000
/** ms between the writes of a writer, and between searches. */
const pauses = { write: 1_000, search: 100 }
const secret = 'secret-of-the-hook-in-the-bench'
const never = new AbortController().signal

export async function* code(): AsyncIterable<Row> {
  yield* await inFolder(async (folder) => {
    const copy = join(folder, 'repository')
    const { paths, megabytes } = makeRepository(copy)
    const asked = questionsOf(copy, paths)
    const config = join(folder, 'precedent.yaml')
    // JSON is YAML
    writeFileSync(
      config,
      JSON.stringify({
        repositories: { poll: '1h', connect: [{ name: 'bench/large', url: copy, secret_env: 'BENCH_HOOK' }] },
      }),
    )
    const alone = await parseSpeed(copy, paths)
    const rows = await withService(
      async (service) => {
        const began = performance.now()
        await indexed(service, commitOf(copy))
        const seconds = (performance.now() - began) / 1000
        const found = [row('code_first_index', megabytes / seconds, 'MB/s', null, alone)]
        const times: number[] = []
        for (let n = 0; n < pushes; n++)
          times.push(await push(service, copy, paths.slice(n * changed, (n + 1) * changed)))
        found.push(row('code_push_of_10_to_visible', median(times), 'ms', null))
        return [...found, ...(await besideWriters(service, asked))]
      },
      { env: { PRECEDENT_CONFIG: config, BENCH_HOOK: secret } },
    )
    const empty = join(folder, 'empty')
    git(folder, 'init', '-q', '-b', 'main', empty)
    writeFileSync(config, JSON.stringify({ repositories: { connect: [{ name: 'bench/empty', url: empty }] } }))
    const [none, one] = [await idleMegabytes(), await idleMegabytes({ PRECEDENT_CONFIG: config })]
    return [...rows, row('code_memory_idle_one_repository', one, 'MB', null, none)]
  })
}

/** Copies files of the installed packages, which are real code. Returns their paths, and their size in MB. */
function makeRepository(path: string): { paths: string[]; megabytes: number } {
  const paths: string[] = []
  let bytes = 0
  for (const name of readdirSync(packages, { recursive: true, encoding: 'utf8' }).sort()) {
    const from = join(packages, name)
    if (!isCode.test(name) || !statSync(from).isFile()) continue
    const text = readFileSync(from)
    if (text.length > largest) continue
    // a folder of this name is of no interest to anybody
    const to = name.replaceAll('node_modules', 'packages')
    mkdirSync(dirname(join(path, to)), { recursive: true })
    writeFileSync(join(path, to), text)
    paths.push(to)
    bytes += text.length
    if (paths.length === files) break
  }
  git(path, 'init', '-q', '-b', 'main')
  commit(path)
  return { paths, megabytes: bytes / 1e6 }
}

/** 4 to 10 words that begin a comment, from different files: what a reader of the code would ask. */
function questionsOf(path: string, paths: readonly string[]): string[] {
  const random = randomOf(5)
  const found: string[] = []
  while (found.length < questions) {
    const text = readFileSync(join(path, paths[Math.floor(random() * paths.length)] as string), 'utf8')
    const comments = [...text.matchAll(/\/\*\*\s*\*?\s*([A-Z][a-z]+ [a-z][a-z ]{30,})/g)]
    const [, comment] = comments[Math.floor(random() * comments.length)] ?? []
    if (comment === undefined) continue
    const words = comment.split(' ')
    found.push(words.slice(0, 4 + Math.floor(random() * 7)).join(' '))
  }
  return found
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
async function parseSpeed(path: string, paths: readonly string[]): Promise<number> {
  const parser = openCodeParser()
  try {
    async function parse(name: string): Promise<number> {
      const bytes = readFileSync(join(path, name))
      await parser.parse({ path: name, bytes }, { cpp: false }, never)
      return bytes.length
    }
    await parse(paths[0] as string)
    const random = randomOf(3)
    const some = Array.from({ length: parsedAlone }, () => paths[Math.floor(random() * paths.length)] as string)
    const began = performance.now()
    let bytes = 0
    for (const name of some) bytes += await parse(name)
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

/** ms from the hook of a push of some changed files until they are shown. */
async function push(target: Target, path: string, names: readonly string[]): Promise<number> {
  for (const name of names) appendFileSync(join(path, name), '\nexport function added() {}\n')
  commit(path)
  const began = performance.now()
  const client = await openClient(target)
  successful(await client.send(post(target, '/hooks/git/bench/large', '', { 'X-Gitlab-Token': secret })))
  client.close()
  await indexed(target, commitOf(path))
  return performance.now() - began
}

async function besideWriters(target: Target, asked: readonly string[]): Promise<Row[]> {
  const undisturbed = await searchUntil({ isOver: false }, target, asked)
  await writeFor(target, 0, writing / 5)
  const alone = await writeFor(target, 1, writing)
  const state = { isOver: false }
  const searching = searchUntil(state, target, asked)
  const beside = await writeFor(target, 2, writing)
  state.isOver = true
  const times = await searching
  return [
    row('code_search_alone_p95', percentile(undisturbed, 95), 'ms', { at_most: 25 }),
    row('code_search_beside_writers_p95', percentile(times, 95), 'ms', { at_most: 25 }, percentile(undisturbed, 95)),
    row('code_search_beside_writers_median', median(times), 'ms', null),
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
        await sleep(pauses.write)
      }
      client.close()
      return own
    }),
  )
  return times.flat()
}

/** ms of each search. It ends after the last question at the latest. */
async function searchUntil(state: { isOver: boolean }, target: Target, asked: readonly string[]): Promise<number[]> {
  const client = await openClient(target)
  const times: number[] = []
  for (const question of asked) {
    if (state.isOver) break
    const began = performance.now()
    successful(await client.send(get(target, `/api/v2/repos/search?q=${encodeURIComponent(question)}`)))
    times.push(performance.now() - began)
    await sleep(pauses.search)
  }
  client.close()
  return times
}
