/**
 * Precision and recall of the rules of open questions on the labelled claims (README.md). The rules were written with
 * the development part only. The tests print figures of the held-out part, but never its texts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contradictionOf } from '../../../src/claims/contradiction.ts'
import type { Source as ClaimSource } from '../../../src/claims/reading/source.ts'
import { updates } from '../../../src/claims/update.ts'
import type { NewRow } from '../../../src/deciding/outcome.ts'
import { findingsOfPair } from '../../../src/questions/compare/pairs.ts'
import { findingsOf } from '../../../src/questions/raise/rules.ts'
import type { Reason } from '../../../src/records/body.ts'
import type { Entity, Source } from '../../../src/records/record.ts'
import { titleFrom } from '../../../src/records/title.ts'

/** With fewer labelled positives of a rule, its figures mean little: they are printed, but not asserted. */
const enoughPositives = 20
const leastPrecision = 0.95

/** Each file is of another author. */
const pairsOfAuthors = {
  development: [
    'pairs',
    ...[2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 22, 24, 25, 27, 28, 30].map((n) => `pairs-${n}`),
  ],
  'held-out': ['pairs-4', 'pairs-14', 'pairs-21', 'pairs-23', 'pairs-26', 'pairs-29'],
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

interface Figures {
  /** Labelled positives. */
  positives: number
  /** Findings of the rule that are right, and that are wrong. */
  right: number
  wrong: number
}

describe.each(['development', 'held-out'] as const)('rules of open questions on the %s part', (part) => {
  const suffix = part === 'development' ? '' : '.held-out'
  const texts = read<Text>(`texts${suffix}.jsonl`)

  it('contradiction is precise on the pairs of each author', () => {
    const all = { positives: 0, right: 0, wrong: 0 }
    for (const file of pairsOfAuthors[part]) {
      const { positives, right, wrong } = ofPairs('contradiction', read<Pair>(`${file}${suffix}.jsonl`))
      console.log(`${part} ${file}: ${right} right, ${wrong} wrong, of ${positives} labelled`)
      all.positives += positives
      all.right += right
      all.wrong += wrong
    }
    assertPrecise(part, 'contradiction', all)
  })

  it.each(['explicit_question', 'low_confidence'] as const)('%s has a precision of at least 0.95', (rule) => {
    assertPrecise(part, rule, ofTexts(rule, texts))
  })
})

/** Of hard pairs without a contradiction: each is made to mislead a rule. */
const mostMisled = 0.05

it('finds a contradiction in at most one in twenty pairs that are made to mislead', () => {
  for (const name of [1, 2, 3, 4, 5, 6].map((n) => `compatible-${n}`)) {
    const pairs = read<Pair>(`${name}.jsonl`)
    const { right, wrong } = ofPairs('contradiction', pairs)
    console.log(`${name}: ${wrong} of ${pairs.length} found`)
    expect(right).toBe(0)
    expect(wrong / pairs.length).toBeLessThanOrEqual(mostMisled)
  }
})

it('ambiguous_identity has a precision of at least 0.95', () => {
  assertPrecise('development', 'ambiguous_identity', ofPairs('ambiguous_identity', read<Pair>('pairs.jsonl')))
})

function assertPrecise(part: string, name: string, { right, wrong, positives }: Figures): void {
  const found = right + wrong
  const precision = found === 0 ? 1 : right / found
  console.log(
    `${part} ${name}: precision ${precision.toFixed(3)} (${right} of ${found} found), ` +
      `recall ${(right / positives).toFixed(3)} (of ${positives} labelled)`,
  )
  if (positives >= enoughPositives || part === 'development') expect(precision).toBeGreaterThanOrEqual(leastPrecision)
  expect(found).toBeGreaterThan(0)
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
 * A question is right if it is a labelled one; punctuation and words before it do not matter. Each counts once. Only
 * English is read: the other texts are left out, and counted.
 */
function ofTexts(rule: Reason, texts: readonly Text[]): Figures {
  const figures = { positives: 0, right: 0, wrong: 0 }
  const english = texts.filter(({ language }) => language === undefined)
  console.log(
    `${rule}: ${texts.length - english.length} of ${texts.length} texts not read, because they are not English`,
  )
  for (const { label, ...text } of english) {
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
  return readFileSync(join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
