/** Facts about real folders (facts/README.md), and the comparison of what the import read with these facts. */
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { ParsedAdr } from '../../src/import/adr/parse.ts'

export const factsFolder = fileURLToPath(new URL('./facts/', import.meta.url))

export interface Fact {
  path: string
  decision: boolean
  why_not?: string
  title_sha256?: string | null
  status?: string
  date?: string | null
  deciders?: number | null
  supersedes?: string[]
  superseded_by?: string[]
  amends?: string[]
  amended_by?: string[]
  partial?: boolean
  options?: number | null
  alternatives?: number | 'prose'
  has?: { context: boolean; decision: boolean; consequences: boolean }
}

export interface Facts {
  files: Fact[]
}

export interface Understood {
  adr: ParsedAdr | undefined
  date: string | null
  links: Record<'supersedes' | 'superseded_by' | 'amends' | 'amended_by', string[]>
}

interface Compared {
  /** undefined: the facts do not mention it. */
  stated(fact: Fact): unknown
  read(understood: Understood | undefined, fact: Fact): unknown
}

const ofDecisions = (stated: (fact: Fact) => unknown) => (fact: Fact) => (fact.decision ? stated(fact) : undefined)

export const fields: Record<string, Compared> = {
  decision: { stated: (fact) => fact.decision, read: (one) => one !== undefined },
  title: {
    stated: ofDecisions((fact) => fact.title_sha256),
    read: (one) => (one?.adr?.title === undefined ? null : hash(one.adr.title)),
  },
  status: { stated: ofDecisions((fact) => fact.status), read: statusRead },
  date: { stated: ofDecisions((fact) => fact.date), read: (one) => one?.date ?? null },
  deciders: {
    stated: ofDecisions((fact) => fact.deciders ?? 0),
    read: (one) => (one?.adr?.deciders.length || one?.adr?.authors.length) ?? 0,
  },
  supersedes: linked('supersedes'),
  superseded_by: linked('superseded_by'),
  amends: linked('amends'),
  amended_by: linked('amended_by'),
  options: {
    stated: ofDecisions((fact) => (fact.options === null ? undefined : fact.options)),
    read: (one) => one?.adr?.options.length,
  },
  alternatives: {
    stated: ofDecisions((fact) => (typeof fact.alternatives === 'number' ? fact.alternatives : undefined)),
    read: (one) => one?.adr?.options.length,
  },
  context: { stated: ofDecisions((fact) => fact.has?.context), read: (one) => one?.adr?.parts.context !== '' },
  judgment: { stated: ofDecisions((fact) => fact.has?.decision), read: (one) => one?.adr?.parts.decision !== '' },
  consequences: {
    stated: ofDecisions((fact) => fact.has?.consequences),
    read: (one) => one?.adr?.parts.consequences !== '',
  },
}

function linked(kind: keyof Understood['links']): Compared {
  return {
    stated: ofDecisions((fact) => [...(fact[kind] ?? [])].sort()),
    read: (one) => one?.links[kind],
  }
}

/** A record that is superseded in part stays accepted, and the import stores an amendment. */
function statusRead(one: Understood | undefined, fact: Fact): string | undefined {
  const status = one?.adr?.status
  // it names a successor, so it is superseded, whatever word its status uses
  if (fact.status === 'deprecated' && (fact.superseded_by ?? []).length > 0 && status?.word === 'superseded')
    return 'deprecated'
  if (status?.partial && fact.partial) return 'superseded'
  return status?.word ?? 'unknown'
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
