/**
 * Answers requests while the service starts. /livez gets 200. /readyz gets the reason why the service is not ready. Any
 * other request gets 503 with Retry-After.
 */
import { problem } from '../problem.ts'
import type { Api } from './base/api.ts'

export interface StartupGate {
  /** Passes each call on to the service, or refuses it while the gate is closed. */
  api: Api
  /** An engine is not available: sets the reason that /readyz shows while the gate is closed. */
  explain(reason: string): void
  /** Passes all further calls on to `service`. */
  open(service: Api): void
}

/** Seconds after which a client should try again. */
const retryAfter = '2'

/** `publicUrl` is known once the port is bound. */
export function startupGate(publicUrl: () => string): StartupGate {
  let why: string | undefined
  let behind = closed(publicUrl, () => why)
  return {
    api: {
      accept: (call) => behind.accept(call),
      acceptMany: (calls) => behind.acceptMany(calls),
      waitForEnd: (receipt, ms) => behind.waitForEnd(receipt, ms),
      query: (query, actor, input) => behind.query(query, actor, input),
      openStream: (stream, actor, input, signal) => behind.openStream(stream, actor, input, signal),
      authenticate: (authorization, againIn) => behind.authenticate(authorization, againIn),
      keys: {
        create: (by, request) => behind.keys.create(by, request),
        list: (by) => behind.keys.list(by),
        revoke: (by, id) => behind.keys.revoke(by, id),
      },
      rebuilds: {
        ask: (by, request) => behind.rebuilds.ask(by, request),
        list: (by) => behind.rebuilds.list(by),
      },
      repositories: {
        list: (by) => behind.repositories.list(by),
        reindex: (by, request) => behind.repositories.reindex(by, request),
        hook: (call) => behind.repositories.hook(call),
      },
      readiness: () => behind.readiness(),
      metrics: () => behind.metrics(),
      answered: (...told) => behind.answered(...told),
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

/** `missing`: says which engine is not available. */
function closed(publicUrl: () => string, missing: () => string | undefined): Api {
  const refuse = async (): Promise<never> => {
    const why = missing() === undefined ? '' : ': one of its engines is not available yet'
    throw problem('unavailable', `The service is starting${why}. Try again.`, {
      headers: { 'Retry-After': retryAfter },
    })
  }
  const reason = () => missing() ?? 'the service is starting'
  return {
    accept: refuse,
    acceptMany: refuse,
    waitForEnd: refuse,
    query: refuse,
    openStream: refuse,
    authenticate: refuse,
    keys: { create: refuse, list: refuse, revoke: refuse },
    readiness: async () => ({
      ready: false,
      engines: { documents: reason(), queue: null, search: null },
      problems: [`documents: ${reason()}`],
    }),
    rebuilds: { ask: refuse, list: refuse },
    repositories: { list: refuse, reindex: refuse, hook: refuse },
    metrics: refuse,
    answered: () => {},
    releaseWaiting: () => {},
    get publicUrl() {
      return publicUrl()
    },
  }
}
