/** Links all records of a tree: which supersede or amend which. Either of the two records may say so. */

import { posix } from '../../../text/posix.ts'
import type { Note } from '../parse.ts'
import type { RelationKind } from '../relations/markers.ts'
import type { Relation } from '../relations/relation.ts'
import { isFromTitle } from '../relations/topic.ts'
import { type Index, numberOf, type Resolved, resolve } from './resolve.ts'

export interface Linked {
  /** By the newer record: the paths of the records that it supersedes, in the order found. */
  supersedes: Map<string, Set<string>>
  /** By the newer record. */
  reasons: Map<string, string[]>
  /** By the older record: the paths of its successors. */
  successors: Map<string, Set<string>>
  amends: Map<string, Set<string>>
  amendedBy: Map<string, Set<string>>
}

export interface RecordRelations {
  path: string
  title: string
  relations: readonly Relation[]
}

const nameOf: Record<RelationKind, string> = {
  supersedes: 'superseded',
  superseded_by: 'the successor',
  amends: 'amended',
  amended_by: 'an amendment',
}

/** Calls `note` for targets that were not found, for cycles, and for records that name themselves. */
export function linkAll(
  records: readonly RecordRelations[],
  index: Index,
  note: (path: string, note: Note) => void,
): Linked {
  const linked: Linked = {
    supersedes: new Map(),
    reasons: new Map(),
    successors: new Map(),
    amends: new Map(),
    amendedBy: new Map(),
  }
  const missing: { path: string; problem: Problem }[] = []
  const found = records.flatMap(({ path, relations }) => {
    const problems = new Map<string, Problem>()
    const known = new Set<string>()
    const references = resolveAll(index, path, relations).map(({ relation, resolved }): Reference => {
      // the front matter, the status and a link may say the same
      const fact = `${relation.kind} ${factOf(resolved, relation)}`
      if (!known.has(fact)) addProblem(problems, resolved, path, relation)
      known.add(fact)
      const other = 'path' in resolved ? resolved.path : 'outside' in resolved ? resolved.outside : undefined
      return { path, relation, other }
    })
    missing.push(...[...problems.values()].map((problem) => ({ path, problem })))
    return references
  })
  const parts = supersededInPart(found)
  const titles = new Map(records.map(({ path, title }) => [path, title]))
  for (const { path, relation, other } of found) {
    if (other === undefined || other === path) continue
    const isPart = parts.has(keyOf(other, path)) || namesTopic(relation, titles.get(other))
    if (!link(linked, path, other, isPart ? asPart(relation) : relation)) {
      const message = `it would supersede ${other}, which directly or indirectly supersedes it: the link was ignored`
      note(path, { line: relation.line, message })
    }
  }
  for (const { path, problem } of missing) {
    if (!isLinkedAnyway(linked, found, path, problem)) note(path, { line: problem.line, message: messageOf(problem) })
  }
  dropAmendmentsOfSuperseded(linked)
  return linked
}

interface ResolvedRelation {
  relation: Relation
  resolved: Resolved
}

/** A number that was not found may be that of a file to which the same record links: then it means this file. */
function resolveAll(index: Index, path: string, relations: readonly Relation[]): ResolvedRelation[] {
  const all = relations.map((relation) => ({ relation, resolved: resolve(index, path, relation.target) }))
  const outside = new Map(
    all.flatMap(({ resolved }) => {
      const number = 'outside' in resolved ? numberOf(posix.basename(resolved.outside)) : undefined
      return number === undefined ? [] : [[number, resolved] as const]
    }),
  )
  return all.map(({ relation, resolved }) => {
    const number = 'missing' in resolved ? numberOf(relation.target.text.trim()) : undefined
    return { relation, resolved: (number !== undefined && outside.get(number)) || resolved }
  })
}

function factOf(resolved: Resolved, { target }: Relation): string {
  if ('outside' in resolved) return resolved.outside
  return 'path' in resolved ? resolved.path : String(numberOf(target.text.trim()) ?? target.text)
}

/**
 * “Replaces the version «deferred»” names no record. If that record itself names this one, the link is known, and the
 * quoted words need no note.
 */
function isLinkedAnyway(linked: Linked, found: readonly Reference[], path: string, problem: Problem): boolean {
  const { what, kind, isQuoted } = problem
  if (what !== 'unknown' || !isQuoted) return false
  const links = {
    supersedes: linked.supersedes,
    superseded_by: linked.successors,
    amends: linked.amends,
    amended_by: linked.amendedBy,
  }
  const own = found.filter((one) => one.path === path && one.relation.kind === kind && one.other !== undefined)
  return (links[kind].get(path)?.size ?? 0) > new Set(own.map(({ other }) => other)).size
}

/** A record that is superseded as a whole is not also amended: “supersedes ADR 4's decision in full”. */
function dropAmendmentsOfSuperseded({ supersedes, amends, amendedBy }: Linked): void {
  for (const [newer, olders] of supersedes) {
    for (const older of olders) {
      amends.get(newer)?.delete(older)
      amendedBy.get(older)?.delete(newer)
    }
  }
}

interface Reference {
  path: string
  relation: Relation
  /** Path of the record that the reference names. Undefined if no such file was found. */
  other: string | undefined
}

/** Pairs of an older record and a newer one: the older one says that the newer one supersedes only a part of it. */
function supersededInPart(references: readonly Reference[]): ReadonlySet<string> {
  const [parts, wholes] = [new Set<string>(), new Set<string>()]
  for (const { path, relation, other } of references) {
    if (other === undefined) continue
    if (relation.partial && relation.kind === 'amended_by') parts.add(keyOf(path, other))
    else if (relation.kind === 'supersedes' || relation.kind === 'superseded_by') wholes.add(keyOf(path, other))
  }
  return new Set([...parts].filter((pair) => !wholes.has(pair)))
}

const keyOf = (path: string, other: string) => `${path}\n${other}`

/** `Supersedes: ADR 3 (retry policy)`: only a part, unless the title of ADR 3 says the same. */
function namesTopic({ kind, target }: Relation, title: string | undefined): boolean {
  const { topic } = target
  return kind === 'supersedes' && topic !== undefined && title !== undefined && !isFromTitle(topic, title)
}

/** The older record knows best whether it still holds in part, so the newer one only amends it. */
function asPart(relation: Relation): Relation {
  if (relation.kind === 'supersedes') return { ...relation, kind: 'amends' }
  return relation.kind === 'superseded_by' ? { ...relation, kind: 'amended_by' } : relation
}

/** Why references of one line were not linked. */
interface Problem {
  what: 'own' | 'outside' | 'ambiguous' | 'unknown'
  kind: RelationKind
  line: number
  /** As written. */
  references: string[]
  /** All of them are words in quotes. */
  isQuoted: boolean
}

function addProblem(problems: Map<string, Problem>, resolved: Resolved, path: string, relation: Relation): void {
  const { kind, line, target } = relation
  if ('path' in resolved && resolved.path !== path) return
  const what = 'path' in resolved ? 'own' : 'outside' in resolved ? 'outside' : resolved.missing
  const key = `${what} ${kind} ${line}`
  const problem = problems.get(key) ?? { what, kind, line, references: [], isQuoted: true }
  problem.references.push(JSON.stringify((target.text || target.url || '').slice(0, 200)))
  problem.isQuoted &&= target.quoted === true
  problems.set(key, problem)
}

function messageOf({ what, kind, references }: Problem): string {
  if (what === 'own') return `it names itself as ${nameOf[kind]}: the link was ignored`
  const named = `${references.join(', ')}, named as ${nameOf[kind]},`
  const isOne = references.length === 1
  const ignored = isOne ? 'the link was ignored' : 'the links were ignored'
  const kept = isOne ? 'the link is kept' : 'the links are kept'
  if (what === 'ambiguous') return `${named} may ${isOne ? '' : 'each '}be more than one file: ${ignored}`
  const missing = `${named} ${isOne ? 'is' : 'are'} not among the files read`
  return `${missing}: ${what === 'outside' && kind !== 'superseded_by' ? kept : ignored}`
}

/** false: the link would make a cycle. */
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
