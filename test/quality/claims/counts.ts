/**
 * Counts what the rules of open questions find on the labelled claims (README.md), for rules.test.ts and for
 * `npm run quality -- pairs`. It reads the held-out sets too: whoever uses it prints figures, never texts.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contradictionOf } from '../../../src/claims/contradiction.ts'
import type { Source as ClaimSource } from '../../../src/claims/reading/source.ts'
import { updates } from '../../../src/claims/update.ts'
import type { NewRow } from '../../../src/deciding/outcome.ts'
import { findingsOfPair } from '../../../src/questions/compare/pairs.ts'
import { findingsOf } from '../../../src/questions/raise/rules.ts'
import type { Entity, Source } from '../../../src/records/record.ts'
import { titleFrom } from '../../../src/records/title.ts'
import { repository } from '../../support/repository.ts'

export const parts = ['development', 'held-out'] as const
export type Part = (typeof parts)[number]

/** With fewer labelled positives of a rule, its figures mean little: they are shown, but no bar is set for them. */
export const enoughPositives = 20
/** Of each rule, and the share of misleading pairs in which a contradiction may be found. */
export const leastPrecision = 0.95
export const mostMisled = 0.05

export interface Figures {
  /** Labelled positives. */
  positives: number
  /** Findings of the rule that are right, and that are wrong. */
  right: number
  wrong: number
}

/** Of a set of pairs. */
export interface PairFigures extends Figures {
  /** The name of the file without its suffixes. */
  set: string
  pairs: number
}

/** Contradictions in each set of pairs. Each is of another author. */
export function contradictionsOf(part: Part): PairFigures[] {
  return setsOf('pairs', part).map(contradictionsIn)
}

/** Contradictions in each set of pairs that are made to mislead a rule. None is right. */
export function misleadingPairs(): PairFigures[] {
  return setsOf('compatible', 'development').map(contradictionsIn)
}

/** Ambiguous names, in the only set that has enough of them. */
export function ambiguousNames(): Figures {
  return ofPairs('ambiguous_identity', read<Pair>('pairs.jsonl'))
}

export const rulesOfTexts = ['explicit_question', 'low_confidence'] as const

export function ofTexts(rule: (typeof rulesOfTexts)[number], part: Part): Figures {
  return textFigures(rule, read<Text>(part === 'development' ? 'texts.jsonl' : 'texts.held-out.jsonl'))
}

export function sumOf(figures: readonly Figures[]): Figures {
  const sum = (count: keyof Figures) => figures.reduce((total, one) => total + one[count], 0)
  return { positives: sum('positives'), right: sum('right'), wrong: sum('wrong') }
}

/** 1 if nothing was found. */
export function precisionOf({ right, wrong }: Figures): number {
  return right + wrong === 0 ? 1 : right / (right + wrong)
}

export function recallOf({ right, positives }: Figures): number {
  return right / positives
}

const folder = join(repository, 'test/quality/claims')

/** Names of files, in the order of their numbers. */
function setsOf(kind: 'pairs' | 'compatible', part: Part): string[] {
  const isHeldOut = part === 'held-out'
  const names = readdirSync(folder)
    .filter((name) => name.startsWith(kind) && name.endsWith('.jsonl') && name.includes('.held-out.') === isHeldOut)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  assert(names.length > 0)
  return names
}

function contradictionsIn(file: string): PairFigures {
  const pairs = read<Pair>(file)
  return { set: file.slice(0, file.indexOf('.')), pairs: pairs.length, ...ofPairs('contradiction', pairs) }
}

interface Claim {
  kind: string
  title?: string
  text: string
  entities?: Entity[]
  occurred_at?: string
}
interface Pair {
  a: Claim
  b: Claim
  label: string
}
interface Text {
  kind: string
  text: string
  status?: NewRow['status']
  sources?: Omit<Source, 'provenance'>[]
  label: { explicit_questions: string[]; hedged: boolean }
  /** Absent: English. */
  language?: string
}

function ofPairs(rule: 'contradiction' | 'ambiguous_identity', pairs: readonly Pair[]): Figures {
  const figures = { positives: 0, right: 0, wrong: 0 }
  for (const { a, b, label } of pairs) {
    const [one, other] = [rowOf(a, 'a'), rowOf(b, 'b')]
    if (label === 'update') {
      // right to ask, but not which of the two holds
      if (rule === 'contradiction' && isMistakenUpdate(a, b)) figures.wrong++
      continue
    }
    const isFound = findingsOfPair(one, other).some(({ reason }) => reason === rule)
    if (label === rule) figures.positives++
    if (isFound && label === rule) figures.right++
    if (isFound && label !== rule) figures.wrong++
  }
  return figures
}

function isMistakenUpdate(a: Claim, b: Claim): boolean {
  const [one, other] = [a, b].map(({ title = '', text }) => ({ title, text })) as [ClaimSource, ClaimSource]
  return !updates(one, other) && !updates(other, one) && contradictionOf(one, other) !== undefined
}

/**
 * A question is right if it is a labelled one; punctuation and words before it do not matter. Each counts once. The rules
 * read English alone, so texts in other languages are left out.
 */
function textFigures(rule: (typeof rulesOfTexts)[number], texts: readonly Text[]): Figures {
  const figures = { positives: 0, right: 0, wrong: 0 }
  for (const { label, language, ...text } of texts) {
    if (language !== undefined) continue
    const claims = findingsOf(rowOf(text, 'a')).flatMap(({ reason, about }) =>
      reason === rule ? about.map(({ claim }) => claim) : [],
    )
    if (rule === 'low_confidence') {
      if (label.hedged) figures.positives++
      if (claims.length > 0 && label.hedged) figures.right++
      if (claims.length > 0 && !label.hedged) figures.wrong++
      continue
    }
    const labelled = label.explicit_questions.map(words)
    figures.positives += labelled.length
    for (const claim of claims.map(words)) {
      const at = labelled.findIndex((one) => claim.endsWith(one) || one.endsWith(claim))
      if (at < 0) figures.wrong++
      else {
        figures.right++
        labelled.splice(at, 1)
      }
    }
  }
  return figures
}

const words = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The row that the service would store. */
function rowOf(claim: Claim & Partial<Text>, id: string): NewRow {
  const { kind, text, title, entities = [], occurred_at = '2025-01-01T00:00:00.000Z', status = 'accepted' } = claim
  const isDecision = kind === 'decision'
  const body = isDecision ? { judgment: text, consequences: null } : { memory_kind: kind }
  const sources = (claim.sources ?? []).map((source) => ({ ...source, provenance: { class: 'external' as const } }))
  return {
    id,
    record_id: id,
    workspace: 'w',
    kind: isDecision ? 'decision' : 'memory',
    revision: 1,
    audience: 'workspace',
    feed: isDecision ? 'decisions' : 'knowledge',
    title: title ?? titleFrom(text),
    text,
    status,
    invalidated_at: null,
    valid_from: occurred_at,
    valid_to: null,
    superseded_by: null,
    successors: [],
    supersedes: [],
    sources,
    topics: [],
    category: null,
    significance: null,
    surface: null,
    entities,
    confidence: null,
    external_id: null,
    content_hash: '',
    created_at: occurred_at,
    created_by: 'someone',
    updated_at: occurred_at,
    accepted: `${occurred_at}/${id}`,
    mutable: {},
    body,
  } as unknown as NewRow
}

function read<T>(file: string): T[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
