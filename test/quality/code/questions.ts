/**
 * Asks the service questions about the code of small repositories (questions/), and measures where the first answer
 * stands: within the repository that the question is about, and among all repositories of both sets.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Row, row } from '../../bench/row.ts'
import { call } from '../../support/http.ts'
import { repository } from '../../support/repository.ts'
import { startService } from '../../support/service.ts'

const sets = ['shown', 'held-out'] as const
const folder = join(repository, 'test/quality/code/questions')

interface Question {
  repo: string
  question: string
  answers: { path: string; symbol?: string }[]
}

interface Caller {
  url: string
  key: string
}

/** `settings`: of the engines; none: embedded. `showMisses`: prints the questions whose first hit is no answer. */
export async function questionRows(
  engine: string,
  settings: Record<string, string>,
  showMisses: boolean,
): Promise<Row[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'precedent-code-'))
  try {
    const trees = sets.flatMap((set) => readdirSync(join(folder, set, 'trees')).map((tree) => ({ set, tree })))
    const connect = trees.map(({ set, tree }) => {
      return { name: `quality/${tree}`, url: committed(join(folder, set, 'trees', tree), join(temporary, tree)) }
    })
    const config = join(temporary, 'precedent.yaml')
    // JSON is YAML
    writeFileSync(config, JSON.stringify({ repositories: { connect } }))
    const env = { ...settings, PRECEDENT_CONFIG: config }
    const service = await startService({ dataDir: join(temporary, 'data'), env })
    try {
      await allIndexed(service, trees.length)
      const rows: Row[] = []
      for (const set of sets) rows.push(...(await measured(engine, set, service, showMisses)))
      return rows
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function committed(from: string, to: string): string {
  cpSync(from, to, { recursive: true })
  const identity = ['-c', 'user.name=quality', '-c', 'user.email=quality@example.com']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-Af'],
    [...identity, 'commit', '-qm', 'all'],
  ]) {
    execFileSync('git', args, { cwd: to, stdio: 'ignore' })
  }
  return to
}

async function allIndexed(caller: Caller, count: number): Promise<void> {
  for (;;) {
    const { body } = await call<{ items: { state: string; error?: string }[] }>(caller, 'GET', '/api/v2/repos?limit=50')
    for (const { error } of body.items) assert(error === undefined, error)
    if (body.items.filter(({ state }) => state === 'ready').length === count) return
    await sleep(200)
  }
}

async function measured(engine: string, set: string, caller: Caller, showMisses: boolean): Promise<Row[]> {
  const questions = JSON.parse(readFileSync(join(folder, set, 'questions.json'), 'utf8')) as Question[]
  const rows: Row[] = []
  for (const scope of ['within', 'over_all'] as const) {
    const places: number[] = []
    for (const one of questions) {
      const hits = await ask(caller, one, scope === 'within')
      const place = hits.findIndex(({ repo, path }) => {
        return repo === `quality/${one.repo}` && one.answers.some((answer) => answer.path === path)
      })
      places.push(place)
      if (showMisses && place !== 0) {
        const first = hits.slice(0, 3).map(({ path }) => path)
        process.stderr.write(
          `${set} ${scope} ${place + 1}: ${one.question}\n  ${one.answers.map(({ path }) => path)}\n  ${first}\n`,
        )
      }
    }
    const reciprocal = places.reduce((sum, place) => sum + (place === -1 ? 0 : 1 / (place + 1)), 0)
    const found = places.filter((place) => place >= 0 && place < 5).length
    const name = `${engine}_${set.replace('-', '_')}_${scope}`
    rows.push(
      row(`${name}_mrr`, reciprocal / places.length, '', { at_least: scope === 'within' ? 0.75 : 0.55 }),
      row(`${name}_hit_5`, found / places.length, '', null),
    )
  }
  return rows
}

async function ask(
  caller: Caller,
  { question, repo }: Question,
  isWithin: boolean,
): Promise<{ repo: string; path: string }[]> {
  const query = new URLSearchParams({ q: question, limit: '10', ...(isWithin ? { repo: `quality/${repo}` } : {}) })
  const { status, body } = await call<{ items: { repo: string; path: string }[] }>(
    caller,
    'GET',
    `/api/v2/repos/search?${query}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}
