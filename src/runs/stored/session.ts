/** Sessions: each is one attempt of an executor at one phase of a run. Workers write them outside of the journal. */
import type { Audience, RecordId, WorkspaceId } from '../../ids.ts'
import type { Collection } from '../../ports/documents.ts'
import type { RunPhase } from '../../records/run.ts'

/** As its worker stored it. A session whose fence is not that of its run any more is lost, whatever it says. */
export const sessionStates = ['running', 'succeeded', 'failed', 'cancelled', 'lost'] as const
export type SessionState = (typeof sessionStates)[number]

export interface Session {
  /** sessionId */
  id: string
  workspace: WorkspaceId
  /** That of the run. */
  audience: Audience
  run: RecordId
  fence: number
  phase: RunPhase
  state: SessionState
  /** The start of the worker process; opaque to callers. */
  worker: string
  /** The machine of the worker: a worker that starts there ends what is left of its sessions. */
  host: string
  started_at: string
  ended_at: string | null
  exit_code: number | null
  /** The last 64 KiB of what it printed, masked. */
  output: string
}

/** Also PRECEDENT_SESSION of its process, and the webhook-id of its request. */
export function sessionId(run: RecordId, fence: number): string {
  return `${run}-${fence}`
}

export const sessions: Collection<Session> = {
  name: 'sessions',
  fields: {
    id: 'string',
    workspace: 'interned',
    audience: 'interned',
    run: 'string',
    fence: 'integer',
    phase: 'string',
    state: 'string',
    worker: 'string',
    host: 'string',
    started_at: 'instant',
    ended_at: 'instant',
    exit_code: 'integer',
    output: 'string',
  },
  unique: [],
  indexes: [
    ['workspace', 'run', 'fence'],
    ['host', 'state'],
  ],
}
