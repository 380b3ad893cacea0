/** What one caller, one workspace and one connection may use of a web process. Tests set smaller values. */

const KiB = 1024
const MiB = 1024 * KiB

/** Limits of a resource that callers share: for all of them together, for one workspace, and for one credential. */
export interface Shared {
  all: number
  workspace: number
  credential: number
}

export interface Limits {
  /** Bytes of request bodies and unread answers in memory. */
  bytes: Shared
  /** Concurrent requests, including long polls. */
  requests: Shared
  /** Requests that run at one time if several credentials send requests. The others wait for their turn. */
  atWork: Shared
  /** Batches that are parsed and accepted at one time. The others wait. */
  imports: Shared
  /** Batches that wait after they were read. */
  importsWaiting: Shared
  /** Streams that are open. */
  streams: Shared
  /** ms between the comments of a stream, which keep its connection open. */
  streamComment: number
  /** ms between the checks of the key of a stream. */
  streamKeyCheck: number
  /** A body that arrives more slowly than this, over one window, is refused. */
  leastBytesPerSecond: number
  /** ms. The window of `leastBytesPerSecond`. */
  rateWindow: number
  /** ms that a caller may take to read an answer. */
  longestReading: number
  /** Open connections. If there are more, the one that has been idle longest is closed. */
  connections: number
  /** Unanswered requests on one connection. */
  pipelined: number
}

const defaultBodyMemory = 256 * MiB

/** `bodyMemory`: bytes of request bodies and unread answers. */
export function limitsOf(bodyMemory: number = defaultBodyMemory): Limits {
  return {
    // the smallest setting is 192 MiB, a third of which holds the largest batch (64 MiB). No workspace can take all
    bytes: { all: bodyMemory, workspace: Math.floor((bodyMemory * 2) / 3), credential: Math.floor(bodyMemory / 3) },
    // a waiting request costs about 20 kB, so all cost 160 MB at most
    requests: { all: 8_000, workspace: 4_000, credential: 1_000 },
    // a write takes 0.2 ms of the thread. So in each step, a caller waits 1 ms at most for another workspace
    atWork: { all: Number.POSITIVE_INFINITY, workspace: 4, credential: 4 },
    // two batches keep the parser and the store busy. The third slot is for another workspace
    imports: { all: 3, workspace: 2, credential: 2 },
    // an import sends two batches at a time. `bytes` counts the waiting ones too
    importsWaiting: { all: 64, workspace: 16, credential: 8 },
    // each stream keeps one of 10,000 connections and about 20 kB; few runs are watched at once
    streams: { all: 2_000, workspace: 1_000, credential: 100 },
    // proxies close a connection that is silent for 30 s or more, and this server after 60 s
    streamComment: 15_000,
    // a check costs a look into a map. With the 4 s that a key may be cached, the stream of a revoked key ends in 5 s
    streamKeyCheck: 1_000,
    // a phone on GPRS is faster. Common servers require 240 to 500 bytes per second
    leastBytesPerSecond: 2 * KiB,
    // a phone that changes cells may send nothing for 10 s
    rateWindow: 15_000,
    // as long as a request may take to arrive
    longestReading: 300_000,
    // an idle connection costs about 7 kB, so all cost 70 MB at most
    connections: 10_000,
    // most clients send a request after the previous answer. Proxies that pipeline send a few at a time
    pipelined: 16,
  }
}
