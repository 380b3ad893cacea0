/**
 * Measures briefs: whether they tell what must be told, tell nothing outdated as current, and tell few decisions that
 * do not bear on the query.
 */
import assert from 'node:assert/strict'
import type { BriefOutput } from '../../src/context/brief/schema.ts'
import type { SearchOutput } from '../../src/context/schema.ts'
import type { Target } from '../bench/client.ts'
import { type Row, row } from '../bench/row.ts'
import { call } from '../support/http.ts'
import { type BriefSet, briefSets, load, type Query, type Told } from './brief-set.ts'
import { withService } from './measured-service.ts'
import { openQuestions } from './open-questions.ts'

/** Hits of the search that a brief is compared with. */
const hitsOfSearch = 10

export interface Judged {
  query: Query
  brief: BriefOutput
  /** What must be told and is. */
  told: Told[]
  missed: Told[]
  /** Outdated statements that the brief tells as if they were current, with the line. */
  asCurrent: { of: Told; line: string }[]
  /** Records that must be told and that search has among its first hits. */
  foundBySearch: string[]
  /** Of the decisions told: those that bear on the query, and the others. */
  bearing: string[]
  besides: string[]
}

export async function briefRows(): Promise<Row[]> {
  const rows: Row[] = []
  const questions: JudgedQuestions[] = []
  const judgedOf: { shown: Judged[]; held_out: Judged[] } = { shown: [], held_out: [] }
  await withService({}, async (service) => {
    for (const set of briefSets()) {
      const target = service.workspace()
      const ids = await load(service, target, set)
      questions.push(await judgeQuestions(target, set))
      const judged = await judgedBriefs(target, set, ids)
      judgedOf[set.name.startsWith('shown') ? 'shown' : 'held_out'].push(...judged)
      rows.push(...rowsOf(set.name, judged, { hasGoals: false }))
    }
  })
  const together = Object.entries(judgedOf).flatMap(([name, judged]) =>
    rowsOf(`all_${name}`, judged, { hasGoals: true }),
  )
  const all = Object.values(judgedOf).flat()
  return [...rows, ...together, ...rowsByQuery(all), ...questionRows(questions)]
}

async function judgedBriefs(target: Target, set: BriefSet, ids: ReadonlyMap<string, string>): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const query of set.queries) judged.push(await judgeOne(target, query, ids))
  return judged
}

/** Counts of one set. */
interface JudgedQuestions {
  /** Questions. */
  asked: number
  /** Questions about a record that some query lists as outdated. */
  right: number
  /** Records that some query lists as outdated. */
  outdated: number
  /** How many of these records a question is about. */
  found: number
}

/** Finds the older claim in the text of a question about a contradiction. */
const olderClaim = /, or “([\s\S]*)” \((?:[\d-]+|no date)\)\?$/

/** Questions whether a newer record replaces an older one. A set lists only what its queries meet, so more are right. */
async function judgeQuestions(target: Target, { records, queries }: BriefSet): Promise<JudgedQuestions> {
  const outdated = new Set(queries.flatMap((query) => query.outdated.map(({ key }) => key)))
  const superseded = new Set(
    records.flatMap(({ supersedes = [], corrects_memory_id: other }) => [...supersedes, other]),
  )
  const texts = records
    .filter(({ key }) => outdated.has(key) && !superseded.has(key))
    .map(({ text, content = text, judgment = content }) => String(judgment))
  const claims = (await openQuestions(target, 'contradiction')).map(({ claim }) => olderClaim.exec(claim)?.[1] ?? claim)
  return {
    asked: claims.length,
    right: claims.filter((claim) => texts.some((text) => text.includes(claim))).length,
    outdated: texts.length,
    found: texts.filter((text) => claims.some((claim) => text.includes(claim))).length,
  }
}

/** Over all sets together. A page without a query is too short for all that a set expects, so no share is required of it. */
function rowsByQuery(all: readonly Judged[]): Row[] {
  const told = (hasQuery: boolean) => {
    return 100 * sharesOf(all.filter(({ query }) => (query.query !== undefined) === hasQuery)).told
  }
  return [
    row('brief_with_query_told', told(true), '%', { at_least: 90 }),
    row('brief_without_query_told', told(false), '%', null),
  ]
}

/** Percent. */
const leastRight = 100 * (2 / 3)

function questionRows(judged: readonly JudgedQuestions[]): Row[] {
  const sum = (count: keyof JudgedQuestions) => judged.reduce((total, one) => total + one[count], 0)
  return [
    row('brief_sets_questions_right', (100 * sum('right')) / sum('asked'), '%', { at_least: leastRight }),
    row('brief_sets_outdated_asked', (100 * sum('found')) / sum('outdated'), '%', null),
  ]
}

export async function judgeOne(target: Target, query: Query, ids: ReadonlyMap<string, string>): Promise<Judged> {
  const { query: q, lens, must, outdated, bears } = query
  const asked = new URLSearchParams({
    ...(q === undefined ? {} : { query: q }),
    ...(lens === undefined ? {} : { lens }),
  })
  const { status, body: brief } = await call<BriefOutput>(target, 'GET', `/v1/context/brief?${asked}`)
  assert.equal(status, 200, JSON.stringify(brief))
  const lines = linesOf(brief.markdown)
  const all = lines.map(({ text }) => text).join('\n')
  const isTold = ({ words }: Told) => words.some((word) => all.includes(word))
  const keyOf = new Map([...ids].map(([key, id]) => [id, key]))
  const decisions = brief.decisions.map(({ id }) => keyOf.get(id) ?? id)
  return {
    query,
    brief,
    told: must.filter(isTold),
    missed: must.filter((one) => !isTold(one)),
    asCurrent: outdated.flatMap((of) => {
      const line = lines.find((one) => one.isCurrent && of.words.some((word) => one.text.includes(word)))
      return line === undefined ? [] : [{ of, line: line.text }]
    }),
    foundBySearch: await foundBySearch(target, query, keyOf),
    bearing: decisions.filter((key) => bears.includes(key)),
    besides: decisions.filter((key) => !bears.includes(key)),
  }
}

async function foundBySearch(target: Target, { query, must }: Query, keyOf: ReadonlyMap<string, string>) {
  if (query === undefined) return []
  const { status, body } = await call<SearchOutput>(target, 'POST', '/v1/context/search', {
    q: query,
    limit: hitsOfSearch,
  })
  assert.equal(status, 200, JSON.stringify(body))
  const found = new Set(body.items.map(({ id }) => keyOf.get(id)))
  return must.map(({ key }) => key).filter((key) => found.has(key))
}

/** Headings under which nothing is told as current. A handoff has open questions under another heading. */
const notCurrent = /^(?:No longer holds|What failed before|Open questions)$/
const marked = /perhaps outdated|corrected|Which of the two holds\?/i

/** The lines as a reader sees them, without escapes. */
function linesOf(markdown: string): { text: string; isCurrent: boolean }[] {
  let heading = ''
  return markdown.split('\n').map((line) => {
    heading = /^## (.*)$/.exec(line)?.[1] ?? heading
    const text = line.replace(/\\([!-/:-@[-`{-~])/g, '$1')
    return { text, isCurrent: !notCurrent.test(heading) && !marked.test(text) }
  })
}

/** Shares of what was judged, 0 to 1. */
export function sharesOf(judged: readonly Judged[]) {
  const sum = (count: (one: Judged) => number) => judged.reduce((total, one) => total + count(one), 0)
  const asked = judged.filter(({ query }) => query.query !== undefined)
  const bearing = asked.reduce((total, one) => total + one.bearing.length, 0)
  const besides = asked.reduce((total, one) => total + one.besides.length, 0)
  return {
    told: sum(({ told }) => told.length) / sum(({ query }) => query.must.length),
    outdatedAsCurrent: sum(({ asCurrent }) => asCurrent.length) / sum(({ query }) => query.outdated.length),
    decisionsBearing: bearing / (bearing + besides),
    /** Queries whose brief tells fewer of what must be told than search finds. */
    belowSearch: asked.filter(({ told, foundBySearch }) => told.length < foundBySearch.length).length / asked.length,
  }
}

type Shares = ReturnType<typeof sharesOf>

/** The end of the name of each row, and its goal in percent. */
const rowOf: { [share in keyof Shares]: [name: string, goal: Row['goal']] } = {
  told: ['told', { at_least: 90 }],
  outdatedAsCurrent: ['outdated_as_current', { at_most: 5 }],
  decisionsBearing: ['decisions_that_bear', { at_least: 60 }],
  belowSearch: ['below_search', { at_most: 0 }],
}

/**
 * Leaves out a share of nothing. Only many sets together have goals: one set has 20 to 67 queries, so its shares differ much
 * from those of another.
 */
function rowsOf(name: string, judged: readonly Judged[], { hasGoals }: { hasGoals: boolean }): Row[] {
  const shares = Object.entries(sharesOf(judged)) as [keyof Shares, number][]
  return shares.flatMap(([of, share]) => {
    const [end, goal] = rowOf[of]
    return Number.isNaN(share) ? [] : [row(`brief_${name}_${end}`, 100 * share, '%', hasGoals ? goal : null)]
  })
}
