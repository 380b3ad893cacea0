/**
 * Counts how much of a shared resource each caller holds, so that no credential and no workspace can take all of it.
 */

import type { IncomingMessage } from 'node:http'
import type { Shared } from '../base/limits.ts'

/** The caller that takes a part of the resource. */
export interface Taker {
  workspace: string
  credential: string
}

export interface Shares {
  /** false: this would exceed a limit, so nothing is taken. */
  take(by: Taker, amount: number): boolean
  /** Takes it even if this exceeds a limit. */
  force(by: Taker, amount: number): void
  /** Returns a part of what was taken. */
  give(by: Taker, amount: number): void
  /** Whether `take` would succeed now. */
  has(by: Taker, amount: number): boolean
  /** The amount that all callers hold together. */
  taken(): number
}

export function sharesOf(most: Shared): Shares {
  let all = 0
  // an entry is deleted when its amount is 0, so the maps hold only current callers
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

/** All callers without a valid credential share one entry. */
const stranger: Taker = { workspace: '', credential: '' }
const takers = new WeakMap<IncomingMessage, Taker>()

/** Sets the caller of a request, once it is authenticated. */
export function tellTaker(req: IncomingMessage, by: Taker): void {
  takers.set(req, by)
}

export function isStranger(req: IncomingMessage): boolean {
  return !takers.has(req)
}

export function takerOf(req: IncomingMessage): Taker {
  return takers.get(req) ?? stranger
}
