import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cleanUp, temporaryFolder } from '../support/clean-up.ts'
import { call } from '../support/http.ts'
import { repository as ourRepository } from '../support/repository.ts'
import { startService } from '../support/service.ts'

interface Run {
  state: string
  plan?: { revision: number; text: string; steps: string[] }
  result?: { summary: string }
  approval?: { by: string; note?: string }
}
interface Page {
  state: string
  milestones: { number: number; title: string }[]
  next_after: number
  done: boolean
}

const titles = ['Use one store', 'Write receipts first', 'Rank by words']

it('a task is planned, approved by somebody else, done in a repository, and told by the next brief', {
  timeout: 180_000,
}, async () => {
  const folder = repositoryOf(titles)
  const service = await startService({ env: { PRECEDENT_CONFIG: operatorFile(folder) } })
  cleanUp(() => service.stop())
  const [ann, ben] = [await keyOf('ann', ['tasks:run']), await keyOf('ben', ['tasks:approve'])]

  // the worker publishes its executors soon after the start
  const task = await eventually(async () => {
    const made = await as(ann, 'POST', '/api/v2/tasks', {
      ...{ name: 'List our decision records', description: 'New people do not find them.' },
      execution: { mode: 'plan' },
    })
    return made.status === 200 && made.body.state === 'applied' ? (made.body.entity as { id: string }).id : undefined
  })
  const run = `/api/v2/tasks/${task}/run`
  const planned = await eventually(async () => {
    const { body } = await as(ann, 'GET', run)
    return body.state === 'awaiting_approval' ? (body as unknown as Run) : undefined
  })
  expect(planned.plan).toMatchObject({ revision: 1 })
  expect(planned.plan?.text).toContain('docs/decisions/README.md will list the 3 decision records')
  expect(branches(folder)).toEqual(['main'])

  expect((await as(ann, 'POST', `${run}/approve`, { plan_revision: 1 })).status).toBe(403)
  const approved = await as(ben, 'POST', `${run}/approve`, { plan_revision: 1, note: 'Oldest first.' })
  expect(approved.body).toMatchObject({ state: 'applied', entity: { type: 'run' } })

  const told: Page['milestones'] = []
  const last = await eventually(async () => {
    const { body } = await as(ben, 'GET', `${run}/subscribe?after=${told.at(-1)?.number ?? 0}&wait=10`)
    const page = body as unknown as Page
    told.push(...page.milestones)
    return page.done ? page : undefined
  })
  expect(last.state).toBe('succeeded')
  expect(told.map(({ number }) => number)).toEqual(told.map((_, at) => at + 1))
  expect(told.map(({ title }) => title)).toEqual(
    expect.arrayContaining([
      'Read the note of the approval',
      'Read 3 decision records',
      'Wrote docs/decisions/README.md',
    ]),
  )

  const [, branch = ''] = branches(folder)
  const index = execFileSync('git', ['-C', folder, 'show', `${branch}:docs/decisions/README.md`], { encoding: 'utf8' })
  for (const title of titles) expect(index).toContain(`[${title}]`)
  expect((await as(ann, 'GET', `/api/v2/tasks/${task}`)).body).toMatchObject({
    status: 'done',
    run: { state: 'succeeded' },
  })
  const brief = await as(ann, 'GET', '/v1/context/brief?query=decision%20records')
  expect(brief.body.markdown).toContain('lists the 3 decision records')

  async function keyOf(user: string, scopes: string[]) {
    const all = ['context:read', 'context:write', 'tasks:read', 'tasks:write', ...scopes]
    const made = await call<{ key: string }>(service, 'POST', '/admin/keys', { name: user, user, scopes: all })
    return made.body.key
  }
  function as(key: string, method: 'GET' | 'POST', path: string, body?: object) {
    const headers = method === 'POST' ? { Prefer: 'wait=20' } : {}
    return call<Record<string, unknown>>({ ...service, key }, method, path, body, headers)
  }
})

function repositoryOf(all: readonly string[]): string {
  const folder = temporaryFolder('precedent-repository-')
  mkdirSync(join(folder, 'docs/decisions'), { recursive: true })
  for (const [at, title] of all.entries()) {
    writeFileSync(join(folder, `docs/decisions/000${at + 1}-record.md`), `# ${title}\n\n## Status\n\nAccepted\n`)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Records')
  return folder
}

function operatorFile(folder: string): string {
  const path = join(temporaryFolder('precedent-operator-'), 'precedent.yaml')
  const script = join(ourRepository, 'examples/executors/decision-index.js')
  const executor = { type: 'process', command: [process.execPath, script], plans: true, repeatable: true }
  const environment = { pass: ['PATH'], set: { REPOSITORY: folder } }
  writeFileSync(path, JSON.stringify({ executors: { 'decision-index': { ...executor, environment } } }))
  return path
}

function branches(folder: string): string[] {
  const names = execFileSync('git', ['-C', folder, 'branch', '--format=%(refname:short)'], { encoding: 'utf8' })
  return names.trim().split('\n')
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
