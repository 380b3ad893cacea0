import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Serving, type ServingOptions, send, serve } from '../serving.ts'
import { EventSourceLike } from './events.ts'
import { source, subscribe } from './stream.ts'
import { noteId } from './surface.ts'

const path = `/api/notes/${noteId}/events`
/** ms. Far longer than needed, for a busy machine. */
const patient = { timeout: 20_000 }

let serving: Serving
beforeAll(async () => {
  serving = await serve({ routes: subscribe, work: false })
})
afterAll(() => serving.stop())
afterEach(async () => {
  EventSourceLike.closeAll()
  await expect.poll(() => source.open, patient).toBe(0)
  source.reset()
})

const open = (headers: Record<string, string> = {}, on = serving, at = path, key = on.adminKey) =>
  EventSourceLike.open(on.url + at, { authorization: `Bearer ${key}`, ...headers })

async function within(options: ServingOptions, test: (on: Serving) => Promise<void>): Promise<void> {
  const on = await serve({ routes: subscribe, work: false, ...options })
  try {
    await test(on)
  } finally {
    EventSourceLike.closeAll()
    await on.stop()
  }
}

describe('a stream', () => {
  it('sends each event at once, uncompressed, and tells proxies not to buffer them', async () => {
    const events = await open({ 'accept-encoding': 'gzip' })
    expect(events.status).toBe(200)
    expect(Object.fromEntries(events.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(events.headers.get('content-encoding')).toBeNull()
    expect(await events.until(/\n\n/)).toBe('id: 1\nevent: hello\ndata: {"text":"two\\nlines"}\n\n')
  })

  it('ends when its source ends', async () => {
    source.events = async function* () {
      yield { event: 'done', data: {} }
    }
    expect(await (await open()).ended).toBe('event: done\ndata: {}\n\n')
  })

  it('sends comments while nothing happens', async () => {
    await within({ limits: { streamComment: 20 } }, async (on) => {
      await (await open({}, on)).until(/(:\n\n){3}$/)
    })
  })

  it('continues after the event in Last-Event-ID, which overrides the query, and answers 204 after the last event', async () => {
    await open({ 'last-event-id': '7' }, serving, `${path}?last_event_id=3`)
    await open({}, serving, `${path}?last_event_id=3`)
    expect(source.opened.map(({ last_event_id }) => last_event_id)).toEqual(['7', '3'])
    expect((await open({ 'last-event-id': 'last' })).status).toBe(204)
  })

  it('shares its path with a read, which answers clients that do not accept events', async () => {
    const at = `/api/notes/${noteId}/subscribe`
    const events = await open({ accept: 'text/event-stream' }, serving, at)
    expect(events.headers.get('content-type')).toMatch(/^text\/event-stream/)
    for (const accept of ['application/json', '*/*']) {
      const page = await send(serving.url, 'GET', at, { key: serving.adminKey, headers: { accept } })
      expect(page.body).toEqual({ page: true })
      expect(page.headers.get('vary')).toMatch(/Accept/)
    }
  })

  it('answers HEAD without events', async () => {
    const answer = await send(serving.url, 'HEAD', path, { key: serving.adminKey })
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
    })
  })

  it('is refused as a problem before it begins, like any other call', async () => {
    const refused = async (at: string, key?: string) =>
      (await send(serving.url, 'GET', at, key === undefined ? {} : { key })).body.code
    expect(await refused(path)).toBe('authentication_required')
    expect(await refused(path, await serving.key(['context:write']))).toBe('insufficient_scope')
    expect(await refused('/api/notes/nothing/events', serving.adminKey)).toBe('not_found')
    expect(await refused('/api/notes/00000000-0000-7000-8000-00000000dead/events', serving.adminKey)).toBe('not_found')
    expect(await refused(`${path}?form=3`, serving.adminKey)).toBe('invalid_request')
    expect(source.open).toBe(0)
  })
})

describe('an open stream', () => {
  it('holds no place among the requests of its caller, and no turn', async () => {
    const one = { all: 1, workspace: 1, credential: 1 }
    await within({ limits: { requests: one, atWork: one } }, async (on) => {
      await Promise.all([await open({}, on), await open({}, on)].map((events) => events.until(/hello/)))
      expect((await send(on.url, 'GET', '/v1/receipts', { key: on.adminKey })).status).toBe(200)
      const other = await on.key(['context:read'])
      expect((await send(on.url, 'GET', '/v1/receipts', { key: other })).status).toBe(200)
    })
  })

  it('is counted and logged when its client has left', async () => {
    const row = '/api/notes/:id/events'
    const counted = async () => {
      const { body } = await send(serving.url, 'GET', '/metrics', { key: serving.adminKey })
      const name = `precedent_request_seconds_count{method="GET",route="${row}",status="2xx"} `
      return Number(
        body
          .split('\n')
          .find((line: string) => line.startsWith(name))
          ?.slice(name.length) ?? 0,
      )
    }
    const lines = () => serving.logged.filter((line) => line.includes(`"row":"${row}"`) || line.includes(path)).length
    const events = await open()
    await events.until(/hello/)
    const [before, logged] = [await counted(), lines()]
    events.close()
    await expect.poll(counted, patient).toBe(before + 1)
    expect(lines()).toBe(logged + 1)
    expect(source.open).toBe(0)
  })

  it('ends with a problem when its key is revoked', async () => {
    const secret = await serving.key(['context:read'])
    const events = await open({}, serving, path, secret)
    await events.until(/hello/)
    const { body } = await send(serving.url, 'GET', '/admin/keys', { key: serving.adminKey })
    await send(serving.url, 'DELETE', `/admin/keys/${body.items[0].id}`, { key: serving.adminKey })
    const told = await events.ended
    expect(told).toContain('event: problem\n')
    expect(JSON.parse(/data: (.*)\n\n$/.exec(told)?.[1] as string).code).toBe('authentication_required')
  })

  it('ends with a problem when its source fails, and only the log has the cause', async () => {
    source.events = async function* () {
      yield { event: 'hello', data: {} }
      throw new TypeError('password is hunter2')
    }
    const told = await (await open()).ended
    expect(told).toContain('event: problem\ndata: {"type"')
    expect(told).toContain('internal_error')
    expect(told).not.toContain('hunter2')
    await expect.poll(() => serving.logged.some((line) => line.includes('hunter2')), patient).toBe(true)
  })

  it('ends when the server stops, and its source with it', async () => {
    const on = await serve({ routes: subscribe, work: false })
    const all = await Promise.all(Array.from({ length: 20 }, () => open({}, on)))
    await Promise.all(all.map((events) => events.until(/hello/)))
    expect(source.open).toBe(20)
    expect(await on.stop()).toBe(true)
    for (const told of await Promise.all(all.map((events) => events.ended))) expect(told).toMatch(/^id: 1\n.*\n\n$/s)
    await expect.poll(() => source.open, patient).toBe(0)
  })
})
