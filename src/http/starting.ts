/** What http serves before the service is there: it lives, it is not ready, and everything else has to come again. */
import { problem } from '../problem.ts'
import type { Served } from './served.ts'

export interface Entrance {
  /** What is behind it at the moment of each call. */
  served: Served
  /** Shown by /readyz for as long as it is closed. */
  explain(reason: string): void
  /** From now on `service` is served. */
  open(service: Served): void
}

/** Seconds after which callers come again. */
const retryAfter = '2'

/** `publicUrl` is known once the port is bound. */
export function entrance(publicUrl: () => string): Entrance {
  let why = 'the service is starting'
  let behind = closed(publicUrl, () => why)
  return {
    served: {
      accept: (call) => behind.accept(call),
      acceptMany: (calls) => behind.acceptMany(calls),
      waitForEnd: (receipt, ms) => behind.waitForEnd(receipt, ms),
      query: (query, actor, input) => behind.query(query, actor, input),
      authenticate: (authorization) => behind.authenticate(authorization),
      keys: {
        create: (by, request) => behind.keys.create(by, request),
        list: (by) => behind.keys.list(by),
        revoke: (by, id) => behind.keys.revoke(by, id),
      },
      rebuilds: {
        ask: (by, request) => behind.rebuilds.ask(by, request),
        list: (by) => behind.rebuilds.list(by),
      },
      readiness: () => behind.readiness(),
      metrics: () => behind.metrics(),
      answered: (method, path, status, seconds) => behind.answered(method, path, status, seconds),
      releaseWaiting: () => behind.releaseWaiting(),
      get publicUrl() {
        return publicUrl()
      },
    },
    explain(reason) {
      why = reason
    },
    open(service) {
      behind = service
    },
  }
}

function closed(publicUrl: () => string, why: () => string): Served {
  const refuse = async (): Promise<never> => {
    throw problem('unavailable', 'The service is starting and waits for what it runs on. Try again.', {
      headers: { 'Retry-After': retryAfter },
    })
  }
  return {
    accept: refuse,
    acceptMany: refuse,
    waitForEnd: refuse,
    query: refuse,
    authenticate: refuse,
    keys: { create: refuse, list: refuse, revoke: refuse },
    readiness: async () => ({
      ready: false,
      engines: { documents: why(), queue: null, search: null },
      problems: [`documents: ${why()}`],
    }),
    rebuilds: { ask: refuse, list: refuse },
    metrics: refuse,
    answered: () => {},
    releaseWaiting: () => {},
    get publicUrl() {
      return publicUrl()
    },
  }
}
