/** Supersessions and amendments of a whole tree, from both of their ends. */
import type { Note } from './parse.ts'
import type { Relation, RelationKind } from './relations.ts'
import { type Index, type Resolved, resolve } from './resolve.ts'

export interface Linked {
  /** By the newer record: paths of what it supersedes, in the order found; and why. */
  supersedes: Map<string, Set<string>>
  reasons: Map<string, string[]>
  /** By the older record: its successors among the files read. */
  successors: Map<string, Set<string>>
  amends: Map<string, Set<string>>
  amendedBy: Map<string, Set<string>>
}

export interface Speaker {
  path: string
  relations: readonly Relation[]
}

const called: Record<RelationKind, string> = {
  supersedes: 'superseded',
  superseded_by: 'the successor',
  amends: 'amended',
  amended_by: 'an amendment',
}

/** `note` is told of each target that was not found, of cycles and of records that name themselves. */
export function linkAll(speakers: readonly Speaker[], index: Index, note: (path: string, note: Note) => void): Linked {
  const linked: Linked = {
    supersedes: new Map(),
    reasons: new Map(),
    successors: new Map(),
    amends: new Map(),
    amendedBy: new Map(),
  }
  for (const { path, relations } of speakers) {
    for (const relation of relations) {
      const resolved = resolve(index, path, relation.target)
      const problem = problemOf(resolved, path, relation)
      if (problem) note(path, { line: relation.line, message: problem })
      const other = 'path' in resolved ? resolved.path : 'outside' in resolved ? resolved.outside : undefined
      if (other === undefined || other === path) continue
      if (!link(linked, path, other, relation)) {
        const message = `each of this and ${other} supersedes the other: left out`
        note(path, { line: relation.line, message })
      }
    }
  }
  return linked
}

function problemOf(resolved: Resolved, path: string, { kind, target }: Relation): string | undefined {
  const written = JSON.stringify((target.text || target.url || '').slice(0, 200))
  if ('path' in resolved) return resolved.path === path ? `names itself as ${called[kind]}: left out` : undefined
  if ('outside' in resolved) return `${written}, named as ${called[kind]}, is not among the files read`
  return resolved.missing === 'ambiguous'
    ? `${written}, named as ${called[kind]}, may be more than one file: left out`
    : `${written}, named as ${called[kind]}, was not found: left out`
}

/** false: it would close a circle. */
function link(linked: Linked, path: string, other: string, { kind, reason }: Relation): boolean {
  if (kind === 'amends') add(linked.amends, path, other, linked.amendedBy)
  else if (kind === 'amended_by') add(linked.amends, other, path, linked.amendedBy)
  else {
    const [newer, older] = kind === 'supersedes' ? [path, other] : [other, path]
    if (reaches(linked.supersedes, older, newer)) return false
    add(linked.supersedes, newer, older, linked.successors)
    if (reason !== undefined) linked.reasons.set(newer, [...new Set([...(linked.reasons.get(newer) ?? []), reason])])
  }
  return true
}

function add(forward: Map<string, Set<string>>, from: string, to: string, backward: Map<string, Set<string>>): void {
  forward.set(from, (forward.get(from) ?? new Set()).add(to))
  backward.set(to, (backward.get(to) ?? new Set()).add(from))
}

function reaches(forward: ReadonlyMap<string, Set<string>>, from: string, to: string): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true
    if (seen.has(at)) continue
    seen.add(at)
    open.push(...(forward.get(at) ?? []))
  }
  return false
}
