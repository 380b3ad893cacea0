/** A run through two webs and one worker of each kind. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/clean-up.ts'
import { call } from '../../support/http.ts'
import { adminKey, newDataDir, removeData, type Started, startService } from '../../support/service.ts'

const kinds = ['web', 'web', 'apply', 'index', 'run', 'maintain'] as const
const dataDir = newDataDir()
const traceId = '1af7651916cd43dd8448eb211c80319d'
let processes: Started[] = []

beforeAll(async () => {
  const file = join(temporaryFolder('precedent-operator-'), 'precedent.yaml')
  const say = (message: object) => `console.log(JSON.stringify(${JSON.stringify(message)}));`
  const script = `${say({ type: 'milestone', title: 'Half done' })}${say({ type: 'result', summary: 'The fence is green.' })}`
  const painter = { type: 'process', command: [process.execPath, '-e', script] }
  writeFileSync(file, JSON.stringify({ executors: { painter }, policy: { default: 'allow' } }))
  const env = { PRECEDENT_HEALTH_PORT: '0', PRECEDENT_CONFIG: file }
  processes = await Promise.all(kinds.map((kind) => startService({ kind, dataDir, env })))
}, 240_000)

afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()))
  await removeData(dataDir)
})

const at = (process: number) => ({ url: (processes[process] as Started).url, key: adminKey })

it('a run that one web accepted is followed through both, and its trace is in the logs of all processes', {
  timeout: 240_000,
}, async () => {
  const wait = { prefer: 'wait=30' }
  const made = await call<{ entity: { id: string } }>(at(0), 'POST', '/api/v2/tasks', { name: 'Paint the fence' }, wait)
  const run = `/api/v2/tasks/${made.body.entity.id}/run`
  const traced = { ...wait, traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  // run and maintain publish the executor and the policy soon after their start
  await expect.poll(() => policyAt(made.body.entity.id), { timeout: 90_000, interval: 500 }).toBe('allow')
  expect((await call(at(0), 'POST', run, {}, traced)).body).toMatchObject({ state: 'applied' })
  const followed = await Promise.all([follow(0), follow(1)])
  expect(followed[1]).toEqual(followed[0])
  expect(followed[0]).toMatchObject({ state: 'succeeded' })
  expect(followed[0]?.titles).toContain('Half done')
  for (const [number, kind] of kinds.entries()) {
    if (number === 1 || kind === 'maintain') continue
    await expect.poll(() => (processes[number] as Started).log(), { timeout: 10_000 }).toContain(traceId)
  }

  async function follow(web: number) {
    const titles: string[] = []
    for (let after = 0; ; ) {
      const { body } = await call<Page>(at(web), 'GET', `${run}/subscribe?after=${after}&wait=20`)
      titles.push(...body.milestones.map(({ title }) => title))
      after = body.next_after
      if (body.done) return { state: body.state, titles }
    }
  }
})

interface Page {
  state: string
  milestones: { title: string }[]
  next_after: number
  done: boolean
}

async function policyAt(task: string): Promise<string | undefined> {
  return (await call<{ verdict?: string }>(at(1), 'GET', `/api/v2/tasks/${task}/policy`)).body.verdict
}
