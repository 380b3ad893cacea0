/**
 * The kinds of processes. Each kind of job (src/ports/queue.ts) has a worker of its name, so a new kind of job is a new
 * kind of process. Each has its program in workers/, its script in package.json, and its line in the Procfile.
 */
import { jobKinds } from '../src/ports/queue.ts'
import type { Need } from './operator/flaw.ts'

/** code and maintain take no jobs: they look for work at intervals. */
export const workerKinds = [...jobKinds, 'code', 'maintain'] as const
export type WorkerKind = (typeof workerKinds)[number]

/** all: web and every worker in one process. */
export const processKinds = ['all', 'web', ...workerKinds] as const
export type ProcessKind = (typeof processKinds)[number]

export interface Work {
  /** The process serves the API, and makes the first key. */
  web: boolean
  workers: readonly WorkerKind[]
}

export function workOf(kind: ProcessKind): Work {
  if (kind === 'all') return { web: true, workers: workerKinds }
  if (kind === 'web') return { web: true, workers: [] }
  return { web: false, workers: [kind] }
}

/** Kinds that read the operator's file, and the secrets that each needs. */
const readers: Readonly<Record<string, readonly Need[]>> = {
  all: ['executors', 'tokens', 'hooks'],
  web: ['hooks'],
  run: ['executors'],
  code: ['tokens'],
  maintain: [],
}

/** undefined: it does not read the operator's file. An error in the file must not stop a command from making a backup. */
export function operatorFileUse(kind: ProcessKind | 'command'): readonly Need[] | undefined {
  return readers[kind]
}
