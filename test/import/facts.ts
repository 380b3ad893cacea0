/** Facts about real folders (facts/README.md), and the comparison of what the import read with these facts. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParsedAdr, parseAdr } from '../../src/import/adr/parse.ts'
import { type Index, indexOf, resolve } from '../../src/import/adr/tree/resolve.ts'
import type { Reading } from '../../src/import/files/reading.ts'
import { readSource } from '../../src/import/read.ts'
import { dataOf, repository } from '../support/repository.ts'

/** `missing`: why there are no folders. */
export const { folder, missing } = dataOf('adr')

const factsFolder = join(repository, 'test/import/facts')
const end = '.facts.json'
/** Folders that have facts. */
export const folders = readdirSync(factsFolder)
  .filter((name) => name.endsWith(end))
  .map((name) => name.slice(0, -end.length).replace('__', '+'))

export function factsOf(name: string): Fact[] {
  const text = readFileSync(join(factsFolder, `${name.replace('+', '__')}${end}`), 'utf8')
  return (JSON.parse(text) as { files: Fact[] }).files
}

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

export interface Understood {
  adr: ParsedAdr
  date: string | null
  links: Record<'supersedes' | 'superseded_by' | 'amends' | 'amended_by', string[]>
}

/** What the facts state of one field of one file, and what the import read: undefined if it read no decision in the file. */
export interface Comparison {
  field: string
  path: string
  stated: unknown
  read: unknown
  isRight: boolean
}

export async function readFolder(name: string): Promise<{ reading: Reading; understood: Map<string, Understood> }> {
  const root = join(folder, name)
  const reading = await readSource(root, { git: false })
  return { reading, understood: understand(root, reading) }
}

export function comparisonsOf(facts: readonly Fact[], understood: ReadonlyMap<string, Understood>): Comparison[] {
  return facts.flatMap((fact) => {
    const one = understood.get(fact.path)
    const compare = (field: string, stated: unknown, read: unknown): Comparison => {
      return { field, path: fact.path, stated, read, isRight: JSON.stringify(stated) === JSON.stringify(read) }
    }
    const others = Object.entries(fact.decision ? compared : {}).flatMap(([field, { stated, read }]) => {
      const expected = stated(fact)
      return expected === undefined ? [] : [compare(field, expected, one && read(one, fact))]
    })
    return [compare('decision', fact.decision, one !== undefined), ...others]
  })
}

/** Of a file that is a decision. */
interface Compared {
  /** undefined: the facts do not mention it. */
  stated(fact: Fact): unknown
  read(understood: Understood, fact: Fact): unknown
}

const compared: Record<string, Compared> = {
  title: {
    stated: (fact) => fact.title_sha256,
    read: ({ adr }) => (adr.title === undefined ? null : hash(adr.title)),
  },
  status: { stated: (fact) => fact.status, read: statusRead },
  date: { stated: (fact) => fact.date, read: ({ date }) => date },
  deciders: {
    stated: (fact) => fact.deciders ?? 0,
    read: ({ adr }) => adr.deciders.length || adr.authors.length,
  },
  supersedes: linked('supersedes'),
  superseded_by: linked('superseded_by'),
  amends: linked('amends'),
  amended_by: linked('amended_by'),
  options: {
    stated: (fact) => (fact.options === null ? undefined : fact.options),
    read: ({ adr }) => adr.options.length,
  },
  alternatives: {
    stated: (fact) => (typeof fact.alternatives === 'number' ? fact.alternatives : undefined),
    read: ({ adr }) => adr.options.length,
  },
  context: { stated: (fact) => fact.has?.context, read: ({ adr }) => adr.parts.context !== '' },
  judgment: { stated: (fact) => fact.has?.decision, read: ({ adr }) => adr.parts.decision !== '' },
  consequences: { stated: (fact) => fact.has?.consequences, read: ({ adr }) => adr.parts.consequences !== '' },
}

/** All fields that are compared. */
export const fields = ['decision', ...Object.keys(compared)]

function understand(root: string, reading: Reading): Map<string, Understood> {
  const parsed = new Map(
    reading.items.map(({ file }) => [file, parseAdr(readFileSync(join(root, file), 'utf8'), file.split('/').at(-1))]),
  )
  const index = indexOf(
    reading.items.map(({ file, decision }) => ({
      path: file,
      title: decision.title,
      number: parsed.get(file)?.number,
    })),
  )
  return new Map(
    reading.items.map(({ file, decision }) => {
      const adr = parsed.get(file) as ParsedAdr
      const date = decision.decided_at?.slice(0, 10) ?? null
      return [file, { adr, date, links: linksOf(adr, file, index) }]
    }),
  )
}

function linksOf(adr: ParsedAdr, file: string, index: Index): Understood['links'] {
  const links: Understood['links'] = { supersedes: [], superseded_by: [], amends: [], amended_by: [] }
  for (const { kind, target, partial } of adr.relations) {
    const resolved = resolve(index, file, target)
    const path = 'path' in resolved ? resolved.path : (target.url ?? target.text)
    const stated = partial ? (kind === 'amends' ? 'supersedes' : 'superseded_by') : kind
    if (!links[stated].includes(path)) links[stated].push(path)
  }
  for (const list of Object.values(links)) list.sort()
  return links
}

function linked(kind: keyof Understood['links']): Compared {
  return {
    stated: (fact) => [...(fact[kind] ?? [])].sort(),
    read: ({ links }) => links[kind],
  }
}

/** A record that is superseded in part stays accepted, and the import stores an amendment. */
function statusRead({ adr: { status } }: Understood, fact: Fact): string {
  // it names a successor, so it is superseded, whatever word its status uses
  if (fact.status === 'deprecated' && (fact.superseded_by ?? []).length > 0 && status?.word === 'superseded')
    return 'deprecated'
  if (status?.partial && fact.partial) return 'superseded'
  return status?.word ?? 'unknown'
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
