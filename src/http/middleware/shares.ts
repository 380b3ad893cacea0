/**
 * Counts how much of a shared resource each caller holds, so that no credential and no workspace can take all of it.
 */

import type { IncomingMessage } from 'node:http'
import type { Shared } from '../limits.ts'

/** Who takes it. */
export interface Taker {
  workspace: string
  credential: string
}

export interface Shares {
  /** false: it would be more than one of the limits, and nothing is taken. */
  take(by: Taker, amount: number): boolean
  /** Takes it even beyond the limits. */
  force(by: Taker, amount: number): void
  /** Of what was taken. */
  give(by: Taker, amount: number): void
  /** Whether so much could be taken now. */
  has(by: Taker, amount: number): boolean
  /** By all. */
  taken(): number
}

export function sharesOf(most: Shared): Shares {
  let all = 0
  // only current holders have an entry, so the maps stay as small as what is under way
  const workspaces = new Map<string, number>()
  const credentials = new Map<string, number>()

  const has = ({ workspace, credential }: Taker, amount: number) =>
    all + amount <= most.all &&
    (workspaces.get(workspace) ?? 0) + amount <= most.workspace &&
    (credentials.get(credential) ?? 0) + amount <= most.credential

  const add = ({ workspace, credential }: Taker, amount: number) => {
    all += amount
    change(workspaces, workspace, amount)
    change(credentials, credential, amount)
  }

  return {
    has,
    take(by, amount) {
      if (!has(by, amount)) return false
      add(by, amount)
      return true
    },
    force: add,
    give: (by, amount) => add(by, -amount),
    taken: () => all,
  }
}

function change(held: Map<string, number>, key: string, amount: number): void {
  const now = (held.get(key) ?? 0) + amount
  if (now === 0) held.delete(key)
  else held.set(key, now)
}

/** All callers without a valid credential together have one share. */
const stranger: Taker = { workspace: '', credential: '' }
const takers = new WeakMap<IncomingMessage, Taker>()

/** The caller of a request is known from now on. */
export function tellTaker(req: IncomingMessage, by: Taker): void {
  takers.set(req, by)
}

export function isStranger(req: IncomingMessage): boolean {
  return !takers.has(req)
}

export function takerOf(req: IncomingMessage): Taker {
  return takers.get(req) ?? stranger
}
