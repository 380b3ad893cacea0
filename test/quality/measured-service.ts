/** Starts a service for measurements. Each collection or folder gets its own workspace; questions go through HTTP. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { postBatches } from '../bench/calls.ts'
import type { Target } from '../bench/client.ts'
import { makeTenants } from '../bench/tenants.ts'
import { call } from '../support/http.ts'
import { repository } from '../support/repository.ts'
import { startService } from '../support/service.ts'
import type { Text } from './bm25.ts'

export interface Hit {
  /** The external_id. */
  id: string
  score: number
}

export interface MeasuredService {
  /** Writes the documents as decisions into an empty workspace. Resolves when search finds them. */
  fill(documents: readonly Text[]): Promise<Target>
  /** Imports a folder of decision records with `precedent import --source`. */
  importFolder(target: Target, folder: string, source: string): Promise<void>
  /** A new empty workspace. */
  workspace(): Target
  /** Resolves when the claims of all records have been compared, and the questions found in them are asked. */
  compared(): Promise<void>
}

interface Page {
  items: { external_id: string; score: number }[]
  next_cursor?: string
}

/** The greatest page that the service gives. */
const mostOnPage = 50

/** The first hits, with any score. All pages together have at most 200, which is what search ranks. */
export async function ask(target: Target, q: string, most = 10): Promise<Hit[]> {
  const hits: Hit[] = []
  const asked = { q: q.slice(0, 2000), threshold: 0, limit: Math.min(most, mostOnPage) }
  for (let cursor: string | undefined; ; ) {
    const page = { ...asked, ...(cursor === undefined ? {} : { cursor }) }
    const { status, body } = await call<Page>(target, 'POST', '/v1/decisions/search', page)
    assert.equal(status, 200, JSON.stringify(body))
    hits.push(...body.items.map(({ external_id: id, score }) => ({ id, score })))
    cursor = body.next_cursor
    if (cursor === undefined || hits.length >= most) return hits.slice(0, most)
  }
}

const workspaces = 40

export async function withService(settings: Record<string, string>, work: (service: MeasuredService) => Promise<void>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'precedent-quality-'))
  try {
    const keys = await makeTenants({ ...settings, PRECEDENT_DATA_DIR: dataDir }, workspaces)
    const service = await startService({ dataDir, env: settings })
    const workspace = (): Target => {
      const key = keys.pop()
      assert(key !== undefined, `no more than ${workspaces} workspaces`)
      return { url: service.url, key }
    }
    try {
      await work({
        workspace,
        compared: () => compared(service),
        async fill(documents) {
          const target = workspace()
          await postBatches(target, documents.map(decisionOf))
          return target
        },
        importFolder: (target, folder, source) => importFolder(target, folder, source, dataDir),
      })
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** ms. The metrics are at most 5 s old. */
const lookEvery = 5_500
const isCompared = /^precedent_journal_lag_entries\{(?=[^}]*"compared")(?=[^}]*"sum")[^}]*\} 0$/m

async function compared({ url, key }: Target): Promise<void> {
  // the first time, the questions that were just found may not be recorded yet
  for (let times = 0; times < 2; ) {
    await setTimeout(lookEvery)
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })
    const metrics = await answer.text()
    assert(metrics.includes('precedent_journal_lag_entries'), metrics.slice(0, 500))
    times = isCompared.test(metrics) ? times + 1 : 0
  }
}

function decisionOf({ id, title, text }: Text): object {
  const cut = [...text].slice(0, 20_000).join('')
  return { external_id: id, title: [...title].slice(0, 300).join('') || id, judgment: cut || title || id }
}

async function importFolder(target: Target, folder: string, source: string, home: string): Promise<void> {
  await promisify(execFile)(
    process.execPath,
    [join(repository, 'dist/src/cli/precedent.js'), 'import', folder, '--source', source],
    { env: { PATH: process.env.PATH, HOME: home, PRECEDENT_URL: target.url, PRECEDENT_API_KEY: target.key } },
  )
}
