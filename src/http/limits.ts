/** What one caller, one workspace and one connection may take of a web process. Tests set smaller values. */

const KiB = 1024
const MiB = 1024 * KiB

/** Parts that a workspace and one of its credentials may take of something that all callers share. */
export interface Shared {
  all: number
  workspace: number
  credential: number
}

export interface Limits {
  /** Bytes of bodies and of answers that are under way. */
  bytes: Shared
  /** Requests that are under way, long polls included. */
  requests: Shared
  /** Requests at work at one time, if several credentials send some: the others wait for their turn. */
  atWork: Shared
  /** Batches that are parsed and accepted at one time. */
  imports: Shared
  /** Batches that were read and wait for their turn. */
  importsWaiting: Shared
  /** A body that brings fewer bytes than this in one window is refused. */
  leastBytesPerSecond: number
  /** ms. */
  rateWindow: number
  /** ms that a caller may take to read an answer. */
  longestReading: number
  /** Open connections; beyond it the one that has been idle longest is closed. */
  connections: number
  /** Requests on one connection that are not answered yet. */
  pipelined: number
}

const defaultBodyMemory = 256 * MiB

/** `bodyMemory`: bytes of bodies and answers under way. */
export function limitsOf(bodyMemory: number = defaultBodyMemory): Limits {
  return {
    // a third of the least setting (192 MiB) holds the largest batch (64 MiB); no workspace can take it all
    bytes: { all: bodyMemory, workspace: Math.floor((bodyMemory * 2) / 3), credential: Math.floor(bodyMemory / 3) },
    // one that waits costs about 20 kB: 160 MB at most
    requests: { all: 8_000, workspace: 4_000, credential: 1_000 },
    // a write takes 0.2 ms of the thread: another caller waits 1 ms in each step for those of a workspace that sends more
    atWork: { all: Number.POSITIVE_INFINITY, workspace: 4, credential: 4 },
    // two keep both parsing and the store busy; the third is for another workspace
    imports: { all: 3, workspace: 2, credential: 2 },
    // an import sends two at a time; the bytes of those that wait are counted above
    importsWaiting: { all: 64, workspace: 16, credential: 8 },
    // below what a phone on GPRS sends. Common servers ask for 240 to 500 bytes a second
    leastBytesPerSecond: 2 * KiB,
    // a phone that changes cells is silent for up to 10 s
    rateWindow: 15_000,
    // the same time as a request has to arrive
    longestReading: 300_000,
    // an idle one costs about 7 kB: 70 MB at most
    connections: 10_000,
    // HTTP clients send the next request after the answer; proxies that pipeline send a few
    pipelined: 16,
  }
}
