/** Calls about runs that several measurements use. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { SubscribeOutput } from '../../../../src/runs/shown.ts'
import type { ReceiptBody } from '../../../support/http.ts'
import { get, openClient, post, sendAll, type Target } from '../../client.ts'

const path = '/api/v2/tasks'
const callers = 20
/** ms */
const lookEvery = 20

/** The ids of new tasks. */
export async function makeTasks(target: Target, count: number): Promise<string[]> {
  const requests = Array.from({ length: count }, (_, n) =>
    post(target, path, JSON.stringify({ name: `Task ${n}` }), { Prefer: 'wait=30' }),
  )
  const answers = await sendAll(target, requests, callers)
  return answers.map(({ body }) => (JSON.parse(body) as ReceiptBody).entity?.id as string)
}

/** Returns when all are accepted, or `wait` seconds later if they are not applied before. */
export async function startRuns(target: Target, tasks: readonly string[], wait = 0): Promise<void> {
  const requests = tasks.map((id) => post(target, `${path}/${id}/run`, '{}', { Prefer: `wait=${wait}` }))
  const client = await openClient(target)
  // a service that has just started knows its executors a moment later
  while ((await client.send(requests[0] as string)).status === 400) await setTimeout(lookEvery)
  client.close()
  await sendAll(target, requests.slice(1), callers)
}

/** Waits until the runs of these tasks have succeeded. Throws if one has not. */
export async function untilSucceeded(target: Target, tasks: readonly string[]): Promise<void> {
  const client = await openClient(target)
  // runs are taken oldest first, so few are waited for one after another
  for (const id of tasks.toReversed()) {
    for (let state = ''; state !== 'succeeded'; ) {
      const { status, body } = await client.send(get(target, `${path}/${id}/run/subscribe?after=1000000&wait=30`))
      const seen = JSON.parse(body) as SubscribeOutput
      // 404: it is accepted, and not decided yet
      if (status === 404) await setTimeout(lookEvery)
      else {
        assert(status === 200 && (!seen.done || seen.state === 'succeeded'), body)
        state = seen.done ? seen.state : ''
      }
    }
  }
  client.close()
}

export interface StreamEvent {
  event: string
  data: { number?: number; data?: { at: number } }
}

/** Reads the event stream of a run to its end. */
export function readStream(target: Target, task: string, seen: (event: StreamEvent) => void): Promise<void> {
  const headers = { Authorization: `Bearer ${target.key}`, Accept: 'text/event-stream' }
  return new Promise((resolve, reject) => {
    const asked = request(`${target.url}${path}/${task}/run/subscribe`, { headers, agent: false }, (response) => {
      assert.equal(response.statusCode, 200)
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const frames = (rest + chunk).split('\n\n')
        rest = frames.pop() as string
        for (const frame of frames) {
          const event = /^event: (.*)$/m.exec(frame)?.[1]
          // a comment has none
          if (event !== undefined) seen({ event, data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] as string) })
        }
      })
      response.once('end', resolve)
      response.once('error', reject)
    })
    asked.once('error', reject)
    asked.end()
  })
}
