/** Measures GET /api/v2/tasks over HTTP with 100,000 tasks: each filter in each order, each order alone, and several filters. */
import type { ListTasksOutput } from '../../../src/tasks/schema.ts'
import type { ReceiptBody } from '../../support/http.ts'
import { get, openClient, post, sendAll, successful, type Target } from '../client.ts'
import { withService } from '../processes.ts'
import { median, percentile, type Row, row } from '../row.ts'
import { memoryText, randomOf } from '../texts.ts'

const count = 100_000
/** Tasks that are made first, and are the parents of others. */
const parents = 5_000
const callers = 50
/** First pages of each query, and pages after them. */
const repeats = 12
/** Requests before the measurement, so that V8 has compiled the hot code. */
const warmUp = 200
const slowest = { at_most: 15 }
const path = '/api/v2/tasks'

const orders = ['updated', 'created', 'due', 'priority']
/** A value that many tasks have, one that few have, and several of them. */
const filters: Record<string, (parent: string) => string[]> = {
  status: () => ['status=todo', 'status=cancelled', 'status=todo,in_progress,blocked'],
  assignee: () => ['assignee=person-0', 'assignee=person-40', 'assignee=person-0&assignee=person-7&assignee=me'],
  project: () => ['project=project-0', 'project=project-19', 'project=project-0&project=project-3'],
  inbox_status: () => ['inbox_status=unread', 'inbox_status=archived', 'inbox_status=unread,read'],
  priority: () => ['priority=none', 'priority=urgent', 'priority=urgent,high'],
  label: () => ['label=label-0', 'label=label-90', 'label=label-0&label=label-1&label=label-2'],
  parent_id: (parent) => [`parent_id=${parent}`],
}

export async function* tasks(): AsyncIterable<Row> {
  yield* await withService(async (service) => {
    const began = new Date().toISOString()
    const ids = await make(service, 0, parents, () => undefined)
    const half = new Date().toISOString()
    await make(service, parents, count - parents, (n) => (n % 2 === 0 ? ids[n % parents] : undefined))
    const named = Object.entries(filters).map(([name, valuesOf]) => {
      const values = valuesOf(ids[4] as string)
      return [`by_${name}`, values.flatMap((value) => orders.map((order) => `${value}&sort=${order}`))] as const
    })
    const since = [began, half, new Date().toISOString()].map((instant) => `updated_since=${instant}`)
    const several = orders.map((order) => `status=cancelled&priority=urgent&project=project-0&sort=${order}`)
    const asked = [
      ...named,
      ['by_updated_since', since.flatMap((value) => orders.map((order) => `${value}&sort=${order}`))] as const,
      ['by_several', several] as const,
      ...orders.map((order) => [`sorted_${order}`, [`sort=${order}`]] as const),
    ]
    await timesOf(service, ['sort=updated', ...several], warmUp / 10)
    const rows: Row[] = []
    for (const [name, queries] of asked) {
      const times = await timesOf(service, queries, repeats)
      rows.push(row(`tasks_100k_${name}_p95`, percentile(times, 95), 'ms', slowest))
      rows.push(row(`tasks_100k_${name}_median`, median(times), 'ms', null))
    }
    return rows
  })
}

/** The ids of the tasks. One of ten is private, so lists read the tasks of two audiences. */
async function make(
  service: Target,
  first: number,
  many: number,
  parentOf: (n: number) => string | undefined,
): Promise<string[]> {
  const requests = Array.from({ length: many }, (_, at) => {
    const parent = parentOf(first + at)
    const body = { ...taskOf(first + at), ...(parent === undefined ? {} : { parent_id: parent }) }
    return post(service, path, JSON.stringify(body), { Prefer: 'wait=30' })
  })
  const answers = await sendAll(service, requests, callers)
  return answers.map(({ body }) => (JSON.parse(body) as ReceiptBody).entity?.id as string)
}

/** Numbers near 0 are the most frequent. */
function taskOf(n: number): object {
  const random = randomOf(n * 3 + 7)
  const often = (most: number) => Math.floor(random() ** 3 * most)
  const statuses = ['todo', 'in_progress', 'done', 'blocked', 'cancelled']
  const priorities = ['none', 'medium', 'high', 'low', 'urgent']
  const inbox = ['unread', 'read', 'archived']
  return {
    name: `Task ${n}`,
    description: memoryText(n),
    status: statuses[often(statuses.length)],
    priority: priorities[often(priorities.length)],
    inbox_status: inbox[often(inbox.length)],
    assignees: [`person-${often(50)}`],
    project: `project-${often(20)}`,
    labels: [...new Set([`label-${often(100)}`, `label-${often(100)}`])],
    ...(random() < 0.5 ? { due_at: new Date(Date.UTC(2027, 0, 1) + Math.floor(random() * 1e10)).toISOString() } : {}),
    // no parent may be private, because everyone who sees a task sees its parent
    visibility: { scope: n >= parents && n % 10 === 0 ? 'private' : 'workspace' },
  }
}

/** Milliseconds of the first and of the second page of each query, `times` times. */
async function timesOf(target: Target, queries: readonly string[], times: number): Promise<number[]> {
  const client = await openClient(target)
  const found: number[] = []
  for (let n = 0; n < times; n++) {
    for (const query of queries) {
      let cursor = ''
      for (const _ of [1, 2]) {
        const began = performance.now()
        const { body } = successful(await client.send(get(target, `${path}?${query}${cursor}`)))
        found.push(performance.now() - began)
        const { next_cursor } = JSON.parse(body) as ListTasksOutput
        if (next_cursor === undefined) break
        cursor = `&cursor=${encodeURIComponent(next_cursor)}`
      }
    }
  }
  client.close()
  return found
}
