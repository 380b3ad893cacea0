/** Checks the labelled claims, because figures of a broken set mean nothing. Compares texts, but never prints them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const claim = z.strictObject({
  kind: z.enum([
    'fact',
    'constraint',
    'commitment',
    'session_outcome',
    'decision',
    'memory',
    'outcome',
    'preference',
    'observation',
  ]),
  title: z.string().min(1).optional(),
  text: z.string().min(1),
  entities: z.array(z.strictObject({ type: z.string(), id: z.string(), name: z.string() })).optional(),
  occurred_at: z.union([z.iso.datetime(), z.iso.date()]).optional(),
})

const language = z.enum(['de', 'fr', 'es']).optional()

const pair = z.strictObject({
  id: z.string().regex(/^[a-z](?:\d{3,4}|\d+-\d{3})$/),
  a: claim,
  b: claim,
  label: z.enum(['contradiction', 'restatement', 'update', 'unrelated', 'compatible', 'ambiguous_identity']),
  differs_in: z.enum(['number', 'date', 'name', 'negation', 'unit', 'list', 'version', 'role', 'opposite']).optional(),
  language,
  why: z.string().min(1),
})

const text = z.strictObject({
  id: z.string().regex(/^t\d{3}$/),
  kind: z.enum(['fact', 'constraint', 'commitment', 'correction', 'session_outcome', 'decision']),
  text: z.string().min(1),
  status: z.enum(['proposed', 'accepted', 'rejected', 'deprecated']).optional(),
  sources: z
    .array(z.strictObject({ type: z.string(), id: z.string(), title: z.string().optional() }))
    .min(1)
    .optional(),
  label: z.strictObject({
    explicit_questions: z.array(z.string().min(1)),
    hedged: z.boolean(),
    hedged_span: z.string().min(1).optional(),
  }),
  language,
  why: z.string().min(1),
})

const pairs = read('pairs.jsonl', pair)
const others = readdirSync(import.meta.dirname)
  .filter((name) => /^(?:pairs|compatible)-\d+\b.*\.jsonl$/.test(name))
  .map((name) => read(name, pair))
const texts = { open: read('texts.jsonl', text), heldOut: read('texts.held-out.jsonl', text) }
const ofAllSets = [pairs, ...others]
const allPairs = ofAllSets.flat()
const allTexts = [...texts.open, ...texts.heldOut]

describe('the labelled claims', () => {
  it('contain at least 300 pairs and 150 texts', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(300)
    expect(allTexts.length).toBeGreaterThanOrEqual(150)
  })

  it('hold out a third of the texts, and of those with each label', () => {
    expectThird(texts, () => true)
    expectThird(texts, ({ label }) => label.hedged)
    expectThird(texts, ({ label }) => label.explicit_questions.length > 0)
  })

  it('have ids that are unique in each set', () => {
    for (const set of [...ofAllSets, allTexts]) expect(repeated(set.map(({ id }) => id))).toEqual([])
  })

  it('contain no pair of claims twice', () => {
    expect(repeated(allPairs.map(({ a, b }) => normalised(`${a.text}\n${b.text}`)))).toEqual([])
  })

  // an author of a later set may use a claim in two pairs
  it('contain no text twice in the first six sets of pairs and in the single texts', () => {
    const first = ['pairs-2', 'pairs-3', 'pairs-4.held-out', 'pairs-5', 'pairs-6'].map((name) => `${name}.jsonl`)
    const ofFirst = [...pairs, ...first.flatMap((name) => read(name, pair))]
    const written = [...ofFirst.flatMap(({ a, b }) => [a.text, b.text]), ...allTexts.map(({ text }) => text)]
    expect(repeated(written.map(normalised))).toEqual([])
  })

  it('contain about 35 % contradictions and 5 % ambiguous names', () => {
    const share = (label: string) => pairs.filter((each) => each.label === label).length / pairs.length
    expect(Math.abs(share('contradiction') - 0.35)).toBeLessThan(0.03)
    expect(Math.abs(share('ambiguous_identity') - 0.05)).toBeLessThan(0.02)
  })

  it('say in what the claims of each contradiction differ', () => {
    const unnamed = allPairs.filter(({ label, differs_in }) => label === 'contradiction' && differs_in === undefined)
    expect(unnamed.map(({ id }) => id)).toEqual([])
  })

  it('have files of pairs of which none contradicts the other', () => {
    const files = readdirSync(import.meta.dirname).filter((name) => name.startsWith('compatible-'))
    expect(files.length).toBeGreaterThanOrEqual(3)
    const all = files.flatMap((name) => read(name, pair))
    expect(all.filter(({ label }) => label === 'contradiction')).toEqual([])
  })

  it('name two entities for each ambiguous name', () => {
    const ids = (of: z.infer<typeof claim>) => (of.entities ?? []).map(({ id }) => id)
    const wrong = pairs
      .filter(({ label }) => label === 'ambiguous_identity')
      .filter(({ a, b }) => new Set([...ids(a), ...ids(b)]).size < 2)
    expect(wrong.map(({ id }) => id)).toEqual([])
  })

  it('quote questions and hedges verbatim', () => {
    const wrong = allTexts.filter(({ text, label }) => {
      const quoted = [...label.explicit_questions, ...(label.hedged_span === undefined ? [] : [label.hedged_span])]
      return quoted.some((part) => !text.includes(part)) || label.hedged !== (label.hedged_span !== undefined)
    })
    expect(wrong.map(({ id }) => id)).toEqual([])
  })
})

function read<T>(file: string, schema: z.ZodType<T>): T[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line, index) => {
    const parsed = schema.safeParse(JSON.parse(line))
    if (!parsed.success) throw new Error(`${file}:${index + 1}: ${z.prettifyError(parsed.error)}`)
    return parsed.data
  })
}

/** Groups are small, so a third may be missed by two. */
function expectThird<T>(set: { open: T[]; heldOut: T[] }, of: (each: T) => boolean) {
  const [open, heldOut] = [set.open.filter(of).length, set.heldOut.filter(of).length]
  expect(Math.abs(heldOut - (open + heldOut) / 3)).toBeLessThanOrEqual(2)
}

function repeated(ids: string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function normalised(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim()
}
