import { type Logger, pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/system-clock.ts'
import { webhookNotifier } from '../../src/adapters/webhook/notifier.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { type NoticeOutcome, type NoticePorts, sendNotices } from '../../src/runs/notices/send.ts'
import { notices } from '../../src/runs/stored/notice.ts'
import { openEngines, type TestEngines } from '../support/profile-engines.ts'
import { startReceiver, type TestReceiver, webhookSecret } from '../support/receiver.ts'
import { asks, begin, fail, robot, runWorld, started, succeed } from './runs.ts'
import { noticedTask, noticedWorkspace, storeNotice } from './stored-notice.ts'

const hour = 60 * 60_000
const task = `https://precedent.example/api/v2/tasks/${noticedTask}`

let engines: TestEngines
let receiver: TestReceiver
let lines: string[]
let counted: NoticeOutcome[]
/** ms that the clock of the service is ahead. */
let ahead: number
const clock: Clock = { ...systemClock, now: () => Date.now() + ahead, random: () => 0 }

beforeEach(async () => {
  engines = await openEngines()
  receiver = await startReceiver()
  lines = []
  counted = []
  ahead = 0
})
afterEach(() => engines.close())

function ports(more: Partial<NoticePorts> = {}): NoticePorts {
  const log: Logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const notifier = webhookNotifier({ url: receiver.url, secret: webhookSecret }, systemClock)
  const count = (outcome: NoticeOutcome) => void counted.push(outcome)
  const publicUrl = 'https://precedent.example'
  return { documents: engines.documents, clock, log, notifier, publicUrl, count, ...more }
}
const send = (more?: Partial<NoticePorts>) => sendNotices(ports(more), new AbortController().signal)
const left = () => engines.documents.find(notices, { where: { due: { gt: '2000-01-01T00:00:00.000Z' } }, limit: 100 })
const statuses = (...all: number[]) => {
  receiver.answer((response) => response.writeHead(all.shift() ?? 204).end())
}

describe('a notice that is due', () => {
  it('is sent signed, with its id, and deleted when the receiver has confirmed it', async () => {
    const { id, run, at } = await storeNotice(engines.documents, { type: 'awaiting_approval' })
    await send()
    expect(receiver.refused).toEqual([])
    expect(receiver.received.map(({ id, body }) => ({ id, body }))).toEqual([
      {
        id,
        body: {
          type: 'run.awaiting_approval',
          data: {
            workspace_id: noticedWorkspace,
            run_id: run,
            run_number: 3,
            run_url: `${task}/run`,
            task_id: noticedTask,
            task_url: task,
            task_name: 'Pay the supplier',
            state: 'awaiting_approval',
            at,
          },
        },
      },
    ])
    expect(await left()).toEqual([])
    expect(counted).toEqual(['delivered'])
    await send()
    expect(receiver.received).toHaveLength(1)
  })

  it.each(['user:ada', 'team:0199aaaa-0000-7000-8000-000000000001'] as const)(
    'holds nothing that was written if the audience is %s',
    async (audience) => {
      await storeNotice(engines.documents, { audience })
      await send()
      expect(receiver.received).toHaveLength(1)
      expect(JSON.stringify(receiver.received[0]?.body)).not.toMatch(/supplier|secret|\bada\b/)
    },
  )

  it('is sent once if several processes look at the same time', async () => {
    for (let n = 0; n < 20; n++) await storeNotice(engines.documents)
    await Promise.all([send(), send(), send()])
    expect(receiver.received).toHaveLength(20)
    expect(await left()).toEqual([])
  })

  it('is sent with all others, even if there are many', async () => {
    for (let n = 0; n < 30; n++) await storeNotice(engines.documents)
    await send()
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(30)
  })
})

it('runs that await approval, fail or succeed are told of, with their tasks, and others are not', async () => {
  const on = await runWorld([robot])
  on.rules.notifies = true
  asks(on)
  const waiting = await started(on)
  on.rules.policy = { version: 3, policy: { default: 'allow', rules: [] } }
  const [failed, succeeded] = [await started(on), await started(on)]
  for (const { run } of [failed, succeeded]) await begin(on, run)
  await fail(on, failed.run)
  await succeed(on, succeeded.run)
  await send({ documents: on.documents, clock: on.clock })
  await on.close()
  const told = receiver.received.map(({ body: { type, data } }) => ({ type, ...(data as Record<string, unknown>) }))
  expect(told).toHaveLength(3)
  expect(told).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'run.awaiting_approval', run_id: waiting.run, task_id: waiting.task }),
      expect.objectContaining({ type: 'run.failed', run_id: failed.run, task_id: failed.task, state: 'failed' }),
      expect.objectContaining({ type: 'run.succeeded', run_id: succeeded.run, task_id: succeeded.task }),
    ]),
  )
})

describe('a notice that is not delivered', () => {
  it('is sent again after a pause that doubles, under the same id', async () => {
    const { id } = await storeNotice(engines.documents)
    statuses(500, 302)
    const [first, second] = [10_000, 20_000]
    await send()
    ahead += first - 1_000
    await send()
    expect(receiver.received).toHaveLength(1)
    ahead += 1_000
    await send()
    ahead += second - 1_000
    await send()
    expect(receiver.received).toHaveLength(2)
    ahead += 1_000
    await send()
    expect(receiver.received.map((one) => one.id)).toEqual([id, id, id])
    expect(await left()).toEqual([])
    expect(counted).toEqual(['failed', 'failed', 'delivered'])
  })

  it('waits as long as the receiver asks', async () => {
    await storeNotice(engines.documents)
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '120' }).end())
    await send()
    ahead += 119_000
    await send()
    expect(receiver.received).toHaveLength(1)
    ahead += 1_000
    await send()
    expect(receiver.received).toHaveLength(2)
  })

  it('is dropped 24 hours after the change of its run, and the log says so', async () => {
    const { id } = await storeNotice(engines.documents)
    statuses(500, 500, 500, 500)
    await send()
    ahead += 24 * hour - 10_000
    await send()
    ahead += hour
    await send()
    expect(receiver.received).toHaveLength(2)
    expect(await left()).toEqual([])
    expect(counted).toEqual(['failed', 'failed', 'dropped'])
    expect(lines.at(-1)).toContain(`"notice":"${id}"`)
    expect(lines.at(-1)).toContain('notice dropped')
  })

  it('is dropped after that time too if there is no receiver any more', async () => {
    await storeNotice(engines.documents)
    await send({ notifier: undefined })
    expect(await left()).toHaveLength(1)
    ahead += 24 * hour + 1_000
    await send({ notifier: undefined })
    expect(await left()).toEqual([])
  })

  it('does not cost the receiver a request for every other notice', async () => {
    for (let n = 0; n < 20; n++) await storeNotice(engines.documents)
    receiver.answer((response) => response.writeHead(503).end())
    await send()
    expect(receiver.received).toHaveLength(8)
    expect(await left()).toHaveLength(20)
  })

  it('does not keep others from being delivered', async () => {
    const bad = await storeNotice(engines.documents)
    for (let n = 0; n < 10; n++) await storeNotice(engines.documents)
    receiver.answer((response, { id }) => response.writeHead(id === bad.id ? 500 : 204).end())
    await send()
    expect((await left()).map(({ id }) => id)).toEqual([bad.id])
  })

  it('leaves no secret, address or name in the log', async () => {
    await storeNotice(engines.documents)
    receiver.answer((response) => response.writeHead(500, 'secret of the receiver').end('secret'))
    await send()
    await receiver.stop()
    ahead += hour
    await send()
    expect(lines).toHaveLength(2)
    expect(lines.join()).toContain('The receiver answered 500.')
    expect(lines.join()).toContain('ECONNREFUSED')
    expect(lines.join()).not.toMatch(/whsec|secret|http|127\.0\.0\.1|supplier/i)
    expect(lines.join()).not.toContain(webhookSecret.slice(6))
  })
})

describe('a notice that is being sent', () => {
  it('is left alone by other processes for a minute, and then sent again, because its process may have died', async () => {
    const { id } = await storeNotice(engines.documents)
    receiver.answer(() => {})
    const stopping = new AbortController()
    const hanging = sendNotices(ports(), stopping.signal)
    await expect.poll(() => receiver.received.length).toBe(1)
    statuses(204)
    ahead += 55_000
    await send()
    expect(receiver.received).toHaveLength(1)
    ahead += 10_000
    await send()
    expect(receiver.received.map((one) => one.id)).toEqual([id, id])
    stopping.abort()
    await hanging
    expect(await left()).toEqual([])
  })

  it('is given up when its process stops, and sent by the next one at once', async () => {
    await storeNotice(engines.documents)
    receiver.answer(() => {})
    const stopping = new AbortController()
    const hanging = sendNotices(ports(), stopping.signal)
    await expect.poll(() => receiver.received.length).toBe(1)
    stopping.abort()
    await hanging
    expect([counted, lines]).toEqual([[], []])
    statuses(204)
    await send()
    expect(receiver.received).toHaveLength(2)
    expect(await left()).toEqual([])
  })
})
