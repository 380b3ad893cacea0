/** A queue of waiting calls. Workspaces take turns, and so do the credentials of each workspace. */
import type { Taker } from './shares.ts'

type Begin = () => void

export interface RoundRobin {
  /** Returns a function that removes it again. */
  add(by: Taker, begin: Begin): () => void
  /** Begins waiting calls in turn and removes them, until no caller `may` begin another. */
  begin(may: (by: Taker) => boolean): void
}

export function roundRobin(): RoundRobin {
  const lines = new Map<string, Map<string, Begin[]>>()

  /** Removes and returns the next call that may begin; undefined if there is none. */
  function next(may: (by: Taker) => boolean): Begin | undefined {
    for (const [workspace, line] of lines) {
      for (const [credential, begins] of line) {
        if (!may({ workspace, credential })) continue
        const begin = begins.shift()
        line.delete(credential)
        if (begins.length > 0) line.set(credential, begins)
        lines.delete(workspace)
        if (line.size > 0) lines.set(workspace, line)
        return begin
      }
    }
    return undefined
  }

  return {
    add({ workspace, credential }: Taker, begin: Begin): () => void {
      const line = lines.get(workspace) ?? new Map<string, Begin[]>()
      const begins = line.get(credential) ?? []
      begins.push(begin)
      line.set(credential, begins)
      lines.set(workspace, line)
      return () => {
        begins.splice(begins.indexOf(begin), 1)
        if (begins.length === 0) line.delete(credential)
        if (line.size === 0) lines.delete(workspace)
      }
    },
    begin(may) {
      for (let begin = next(may); begin !== undefined; begin = next(may)) begin()
    },
  }
}
