/** Small trees of records in other teams' dialects, each with the facts that a person reads in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reading } from '../../src/import/files/reading.ts'
import { readSource } from '../../src/import/read.ts'
import { repository } from '../support/repository.ts'
import type { Comparison } from './facts.ts'

/** Of one file. What is not stated is not compared. */
interface DialectFact {
  /** A decision in a decision log has its anchor behind the path. */
  path: string
  /** It is no decision, for this reason. */
  why_not?: string
  title?: string
  /** The line that a refusal of the record names: that of its first credential, else that of its title. */
  line?: number
  /** The status that is imported: a superseded record stays accepted if its successor is in force. */
  status?: string
  date?: string
  dated_by?: string
  /** Paths. */
  supersedes?: string[]
  /** Titles. */
  amends?: string[]
  amended_by?: string[]
  alternatives?: string[]
  deciders?: string[]
  /** Texts that the field contains, or does not. */
  judgment?: string
  judgment_not?: string
  context?: string
  context_not?: string
  rationale?: string
  rationale_not?: string
  consequences?: string
  consequences_not?: string
  note?: string
  note_not?: string
}

const folder = join(repository, 'test/import/trees/dialects')
export const dialects = readdirSync(folder)

/** What the import read differently, one line each. `git`: also dates from the history of the tree. */
export async function differencesIn(dialect: string, root = folder, git = false): Promise<string[]> {
  const wrong = (await comparisonsIn(dialect, root, git)).filter(({ isRight }) => !isRight)
  return wrong.map(({ path, field, read, stated }) => {
    return `${path} ${field}: ${JSON.stringify(read)} where a person reads ${JSON.stringify(stated)}`
  })
}

/** Whether a file is a decision, and all that is stated of it. */
export async function comparisonsIn(dialect: string, root = folder, git = false): Promise<Comparison[]> {
  const reading = await readSource(join(root, dialect), { source: 'acme/press', git })
  const { files } = JSON.parse(readFileSync(join(root, dialect, 'facts.json'), 'utf8')) as { files: DialectFact[] }
  // paths count from the root of the repository, if the tree is in one
  const base = /^(?:.*\/)?trees\/dialects\/[^/]+\//.exec(reading.items[0]?.file ?? '')?.[0] ?? ''
  return files.flatMap(({ path, ...facts }) => {
    const found = readingOf(reading, base, path)
    const [isDecision, isFound] = [facts.why_not === undefined, found.title !== undefined]
    const decision = { field: 'decision', path, stated: isDecision, read: isFound, isRight: isDecision === isFound }
    const others = Object.entries(facts).map(([field, stated]) => {
      const read = found[(lacks.exec(field)?.[1] ?? field) as keyof DialectFact]
      return { field, path, stated, read, isRight: isRight(field, stated, read) }
    })
    return [decision, ...others]
  })
}

const contains = /^(?:judgment|context|rationale|consequences|note)$/
const lacks = /^(judgment|context|rationale|consequences|note)_not$/

function isRight(field: string, stated: unknown, read: unknown): boolean {
  if (read === undefined) return false
  if (contains.test(field)) return String(read).includes(String(stated))
  if (lacks.test(field)) return !String(read).includes(String(stated))
  return JSON.stringify(read) === JSON.stringify(stated)
}

function readingOf(reading: Reading, base: string, path: string): Partial<DialectFact> {
  const file = base + path
  const why_not = reading.notDecisions.find((one) => one.file === file)?.reason
  const item = reading.items.find(({ decision }) => decision.external_id === `acme/press/${file}`)
  if (!item) return { path, ...(why_not && { why_not }) }
  const { decision, datedBy } = item
  const related = (kind: string) =>
    decision.sources.flatMap(({ title }) => (title?.startsWith(`${kind}: `) ? [title.slice(kind.length + 2)] : []))
  const { alternatives = [] } = typeof decision.context === 'object' ? decision.context : {}
  return {
    path,
    title: decision.title,
    line: item.line,
    status: decision.status,
    ...(decision.decided_at && { date: decision.decided_at.slice(0, 10) }),
    ...(datedBy && { dated_by: datedBy }),
    supersedes: decision.supersedes.map((id) => id.slice(`acme/press/${base}`.length)).sort(),
    amends: related('Amends'),
    amended_by: related('Amended by'),
    alternatives: alternatives.map(({ title }) => title),
    deciders: decision.decided_by,
    judgment: decision.judgment,
    context: JSON.stringify(decision.context ?? ''),
    rationale: decision.rationale ?? '',
    consequences: decision.consequences ?? '',
    note: reading.notes
      .filter((one) => one.file === item.file)
      .map(({ message }) => message)
      .join('\n'),
  }
}
