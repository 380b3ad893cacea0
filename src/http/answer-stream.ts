/**
 * Answers with server-sent events. A stream is admitted like any other call. While it is open it holds a place among the
 * streams, but no place among the requests and no turn. It ends with its source, when its client leaves, when its key is
 * revoked, and when the server stops.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { type Actor, requireScope } from '../access/actor.ts'
import type { EventStream, StreamEvent } from '../operation.ts'
import type { Admission } from './admission/admission.ts'
import type { Shares, Taker } from './admission/shares.ts'
import type { Api } from './base/api.ts'
import type { Limits } from './base/limits.ts'
import { asProblem, problemBody } from './base/problem.ts'
import type { StreamRoute } from './base/route.ts'
import { discardBody } from './body/body.ts'
import type { Connections } from './connections.ts'
import { asNotFound, pathParameters } from './middleware/path.ts'
import { hasParameter, queryReader } from './middleware/query-string.ts'

export interface Streaming {
  limits: Pick<Limits, 'streamComment' | 'streamKeyCheck'>
  connections: Pick<Connections, 'onEnd' | 'onFault'>
}

/** The field of an input that holds the header Last-Event-ID. */
const lastEventField = 'last_event_id'

export function answerStream({ stream }: StreamRoute, api: Api, admission: Admission, streaming: Streaming) {
  const { admit, turns, streams, bytes } = admission
  const inputOf = inputReader(stream)
  return async (ctx: Context): Promise<void> => {
    const end = endOf(ctx, streaming.connections)
    let leave = () => {}
    try {
      const actor = await api.authenticate(ctx.req.headers.authorization)
      let events: AsyncIterable<StreamEvent> | undefined
      await admit(ctx, actor, false, async () => {
        if (stream.scope !== null) requireScope(actor, stream.scope)
        ctx.res.setHeader('Cache-Control', 'no-store, no-transform')
        leave = streams.enter(actor, () => end.now('stopping'))
        const path = pathParameters(ctx)
        const input = inputOf(ctx, path)
        const open = async () => (end.signal.aborted ? undefined : api.openStream(stream, actor, input, end.signal))
        events = await turns.run(actor, open).catch((error: unknown) => {
          throw asNotFound(error, path)
        })
      })
      if (events === undefined) ctx.status = 204
      else await send(ctx, events, { actor, api, bytes, end, limits: streaming.limits, scope: stream.scope })
    } finally {
      leave()
      end.forget()
    }
  }
}

function inputReader(stream: EventStream) {
  const readQuery = queryReader(stream.input)
  const continues = hasParameter(stream.input, lastEventField)
  return (ctx: Context, path: Record<string, string>) => {
    const input = readQuery(ctx.querystring, path)
    const last = ctx.get('Last-Event-ID')
    // the header overrides the query: a client that reconnects repeats the query of its first request
    return continues && last !== '' ? { ...input, [lastEventField]: last } : input
  }
}

/** Why a stream ends before its source does. The client is sent a Problem. */
type Reason = 'left' | 'stopping' | Error

interface End {
  signal: AbortSignal
  /** Ends the stream. Only the first call has an effect. */
  now(reason: Reason): void
  forget(): void
}

/** Call it before the first await. Otherwise a client that leaves early is not noticed. */
function endOf({ req }: Context, connections: Streaming['connections']): End {
  const controller = new AbortController()
  const now = (reason: Reason) => {
    if (!controller.signal.aborted) controller.abort(reason)
  }
  const left = () => now('left')
  if (req.socket.destroyed) {
    left()
    return { signal: controller.signal, now, forget: () => {} }
  }
  // the end of the connection, because a response that is pipelined behind another one reports none
  const forgetEnd = connections.onEnd(req.socket, left)
  // after a fault Node reads no more, and would not notice the end
  const forgetFault = connections.onFault(req.socket, left)
  const forget = () => {
    forgetEnd()
    forgetFault()
  }
  return { signal: controller.signal, now, forget }
}

interface Sending {
  actor: Actor
  api: Api
  bytes: Shares
  end: End
  limits: Streaming['limits']
  scope: EventStream['scope']
}

async function send(ctx: Context, events: AsyncIterable<StreamEvent>, sending: Sending): Promise<void> {
  const { actor, api, bytes, end, limits } = sending
  const { res } = ctx
  begin(ctx)
  const iterator = events[Symbol.asyncIterator]()
  const comments = setInterval(() => {
    // send none to a client that does not read: comments must not pile up
    if (!res.writableNeedDrain && !res.writableEnded) res.write(':\n\n')
  }, limits.streamComment)
  const forgetKey = watchKey(ctx, sending)
  let failure: unknown
  try {
    while (ctx.method !== 'HEAD' && !end.signal.aborted) {
      const next = await unlessEnded(iterator.next(), end.signal)
      if (next === undefined || next.done) break
      if (!res.write(frameOf(next.value))) await taken(res, actor, bytes, end)
    }
  } catch (error) {
    if (!end.signal.aborted) failure = error
  } finally {
    clearInterval(comments)
    forgetKey()
    // not awaited: a generator that waits for something returns only after that
    Promise.resolve(iterator.return?.()).catch(() => {})
  }
  finish(res, failure ?? end.signal.reason, api.publicUrl)
  // for the log only: the answer has begun, so it can't become a problem any more
  if (failure !== undefined) throw failure
}

function begin(ctx: Context): void {
  const { req, res } = ctx
  // an unread body would hide from Node that the client has left
  discardBody(req)
  ctx.respond = false
  ctx.status = 200
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  // otherwise nginx would buffer the events
  res.setHeader('X-Accel-Buffering', 'no')
  res.flushHeaders()
}

const oneLine = /^[^\0\r\n]*$/

function frameOf({ id, event, data }: StreamEvent): string {
  assert(oneLine.test(event) && oneLine.test(id ?? ''), 'event and id have one line each')
  // JSON has no line breaks
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** undefined once the stream has ended. Leaves no listener behind, because a stream may wait for thousands of events. */
function unlessEnded<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const ended = () => resolve(undefined)
    if (signal.aborted) ended()
    else signal.addEventListener('abort', ended, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', ended))
  })
}

/**
 * Waits until the reader has read the buffered bytes. Until then they count towards its share of memory. Ends the
 * stream if it would hold too many.
 */
async function taken(res: ServerResponse, by: Taker, bytes: Shares, end: End): Promise<void> {
  const unread = res.writableLength
  if (!bytes.take(by, unread)) {
    end.now('left')
    return
  }
  try {
    // rejects when the stream ends
    await once(res, 'drain', { signal: end.signal })
  } finally {
    bytes.give(by, unread)
  }
}

/** Ends the stream if its key is revoked, expires or can't be checked. Returns a function that stops the checks. */
function watchKey(ctx: Context, { api, end, limits, scope }: Sending): () => void {
  let isChecking = false
  const check = async () => {
    const actor = await api.authenticate(ctx.req.headers.authorization, limits.streamKeyCheck)
    if (scope !== null) requireScope(actor, scope)
  }
  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    check().then(
      () => {
        isChecking = false
      },
      (error: Error) => end.now(error),
    )
  }, limits.streamKeyCheck)
  return () => clearInterval(timer)
}

/**
 * Tells the client why the stream ends, if it is still there. When the server stops, it does not wait for a client that
 * is behind with reading: a client that reconnects continues after the last event that it has read.
 */
function finish(res: ServerResponse, reason: unknown, publicUrl: string): void {
  if (reason === 'left' || (reason === 'stopping' && res.writableNeedDrain)) res.destroy()
  if (res.destroyed) return
  if (reason instanceof Error) res.end(frameOf({ event: 'problem', data: problemBody(asProblem(reason), publicUrl) }))
  else res.end()
}
