/** The content of one brief: the chosen records with their texts, conflicts and questions. */
import { statementOf } from '../../../claims/source.ts'
import type { RecordId } from '../../../ids.ts'
import { rejectionsOf } from '../../../questions/answers.ts'
import { eachAskedOnce, mostUrgentQuestions, openQuestionsOn, type ShownQuestion } from '../../../questions/open.ts'
import { isAboutOldProposals, mostQuestions, type OpenQuestion, priorities } from '../../../questions/schema.ts'
import type { SeenBy } from '../../../questions/who-sees.ts'
import { bodyOf, type DecisionBody, type OutcomeStatus } from '../../../records/body.ts'
import { inForce } from '../../../records/in-force.ts'
import { namedIn, namedRecord } from '../../../records/named.ts'
import { leadingOutcomes } from '../../../records/present/outcomes.ts'
import { type ConflictResponse, conflictsOf, type Presenting, sourcesOf } from '../../../records/present/present.ts'
import { type ClaimResponse, claimConflictsOf, claimResponsesOf } from '../../../records/present/superseded-claims.ts'
import type { RecordReader } from '../../../records/read/reader.ts'
import type { SeenRecord } from '../../../records/read/seen-record.ts'
import type { Envelope, PrecedentRecord } from '../../../records/record.ts'
import { claimsIn } from '../../../records/superseded-claims.ts'
import { bestPassages } from '../../../text/best-passage.ts'
import type { Evidence } from '../../trust.ts'
import type { Found, Item, With } from '../find/found.ts'
import { withoutCode } from '../text/plain-text.ts'
import { type Correction, correctionsOf } from './corrections.ts'
import { type Row, withNewer } from './newer.ts'
import { mattersMost } from './newer-first.ts'
import type { Section } from './sections.ts'

export interface Material extends Pick<Found, 'relevance' | 'held' | 'terms' | 'failures' | 'unsearched'> {
  sections: Section[]
  /** The records of all sections, each once. */
  used: Item[]
  /** Those that matter most, in the order of the sections. The others are told in one line each. */
  first: Set<Item>
  evidence: Evidence[]
  /** Bodies of decisions, by row id. */
  bodies: Map<string, DecisionBody>
  /** Why a person rejected a proposal, by record id: empty if the person did not say. */
  rejections: ReadonlyMap<string, string>
  /** Superseded claims of decisions, by row id. */
  claims: Map<string, ClaimResponse[]>
  /** Superseded claims of all records with what corrects them, by row id. */
  corrections: Map<string, Correction[]>
  /** Texts of memories and judgments, without superseded claims, by row id. */
  texts: Map<string, string>
  /** With a query the best passage of each of these texts, else the text. */
  passages: Map<string, string>
  /** How decisions worked out, by record id: their leading outcomes. */
  outcomes: ReadonlyMap<string, OutcomeStatus>
  /** What will take the place of a decision in force, and when, by record id. */
  ends: ReadonlyMap<string, { record: Envelope; at: string }>
  /** What may have outdated a record, by record id. */
  outdated: Map<string, Item>
  conflicts: ConflictResponse[]
  /** Those that are listed. */
  questions: OpenQuestion[]
  /** All about the records, with those that are listed, for the trust. */
  judged: ShownQuestion[]
  /** By question_id. */
  seenBy: Map<string, SeenBy>
  /** Records that questions are about, and those in conflicts. */
  named: Map<string, SeenRecord>
}

/** The most conflicts about whole records. As many again may be about single claims. */
const mostConflicts = 10
/** With a query: the most conflicts of both kinds together, and the most superseded records that they are chosen from. */
const mostIfAsked = 5
const mostLookedAt = 30
/** Questions from which the trust is reckoned. */
const mostJudged = 100

export async function materialOf(
  found: Found,
  chosen: readonly Section[],
  questionsOn: 'used' | 'all' | ShownQuestion[],
  context: With,
): Promise<Material> {
  const { reader } = context.presenting
  const atFirst = chosen.flatMap(({ items }) => items.map(({ record }) => record))
  const openAtFirst = await openQuestionsOn(context, atFirst, mostJudged)
  const { sections, outdated, rows: all } = await withNewer(chosen, found, openAtFirst, context)
  const used = [...new Set(sections.flatMap(({ items }) => items))]
  const records = used.map(({ record }) => record)
  // one read for evidenceOf, which checks for each record which of its sources are visible
  await reader.records(records.flatMap(({ sources, workspace }) => namedIn(sources, workspace)))
  const rows = new Map(used.flatMap(({ record: { id } }) => (all.has(id) ? [[id, all.get(id) as Row] as const] : [])))
  const known = new Set(atFirst.map(({ record_id }) => record_id))
  const added = records.filter(({ record_id }) => !known.has(record_id))
  const first = mattersMost(chosen, used, outdated)
  const [evidence, conflicts, openOnAdded, outcomes, rejections, ends, texts] = await Promise.all([
    Promise.all(used.map((item) => evidenceOf(item, context.presenting))),
    conflictsAbout(concerning(used, first, found), found, context),
    added.length === 0 ? [] : openQuestionsOn(context, added, mostJudged),
    outcomesOf(records, context),
    rejectionsAmong(records, rows, reader),
    endsOf(records, reader),
    textsOf(rows, found.terms, context),
  ])
  // what binds besides the query asks nothing about it
  const about = new Set(sections.filter(({ isUnrelated }) => !isUnrelated).flatMap(({ items }) => items))
  const matches = new Map<string, number>([...about].map(({ record, match }) => [record.record_id, match ?? 0]))
  const open = byId([...openAtFirst, ...openOnAdded])
  const asked = await listedOf(questionsOn, open, matches, context)
  const questions = asked.map(({ question }) => question)
  const named = [
    ...questions.map(({ subject }) => subject?.id),
    ...conflicts.flatMap((one) => [one.source.id, one.superseded_by.id]),
  ]
  const { relevance, held, terms, failures, unsearched } = found
  const judged = byId([...asked, ...open])
  return {
    ...{ sections, used, outdated, outcomes, rejections, ends, evidence, conflicts, questions, ...texts },
    ...{ relevance, held, terms, failures, ...(unsearched === undefined ? {} : { unsearched }) },
    first,
    judged,
    seenBy: new Map(judged.map(({ question, seenBy }) => [question.question_id, seenBy])),
    named: await reader.records(named.flatMap((id) => (id as RecordId | undefined) ?? [])),
  }
}

type Texts = Pick<Material, 'bodies' | 'claims' | 'corrections' | 'texts' | 'passages'>

/** `rows`: by row id. */
async function textsOf(rows: ReadonlyMap<string, Row>, terms: readonly string[], context: With): Promise<Texts> {
  const texts = new Map([...rows].map(([id, row]) => [id, statementOf(row as PrecedentRecord).text]))
  const decided = [...rows].flatMap(([id, row]) => (row.kind === 'decision' ? [{ id, row }] : []))
  const claims = decided.map(async ({ id, row }) => {
    return [id, await claimResponsesOf(row.mutable, context.presenting)] as const
  })
  const superseded = [...rows].map(([id, { mutable }]) => [id, claimsIn(mutable)] as const)
  return {
    texts,
    passages: await passagesOf(texts, terms),
    bodies: new Map(decided.map(({ id, row }) => [id, bodyOf(row, 'decision')])),
    claims: new Map(await Promise.all(claims)),
    corrections: await correctionsOf(superseded, context.presenting.reader),
  }
}

/** Each once. */
function byId(shown: readonly ShownQuestion[]): ShownQuestion[] {
  return [...new Map(shown.map((one) => [one.question.question_id, one])).values()]
}

/**
 * The questions to list: of all that are open, or about the records that the query is about. `about`: how well each of these
 * records matches. Of equally urgent questions, those about the best match come first.
 */
async function listedOf(
  on: 'used' | 'all' | ShownQuestion[],
  open: readonly ShownQuestion[],
  about: ReadonlyMap<string, number>,
  context: With,
): Promise<readonly ShownQuestion[]> {
  if (Array.isArray(on)) return on
  if (on === 'all') return eachAskedOnce(await mostUrgentQuestions(context))
  const matchOf = (one: ShownQuestion) => Math.max(...one.about.map(({ record_id }) => about.get(record_id) ?? -1))
  const placeOf = ({ question }: ShownQuestion) => priorities.indexOf(question.priority)
  const best = Math.max(0, ...about.values())
  // the question about all old proposals of a repository only where one of them is what was asked for
  const least = ({ question }: ShownQuestion) => (isAboutOldProposals(question) ? nearBest * best : 0)
  const asked = open
    .filter((one) => matchOf(one) >= least(one))
    .sort((a, b) => placeOf(a) - placeOf(b) || matchOf(b) - matchOf(a))
  return eachAskedOnce(asked).slice(0, mostQuestions)
}

async function outcomesOf(
  records: readonly Envelope[],
  { presenting, reads }: With,
): Promise<Map<string, OutcomeStatus>> {
  const ids = records.flatMap(({ kind, record_id }) => (kind === 'decision' ? [record_id] : []))
  const outcomes = await leadingOutcomes(ids, presenting, reads.documents)
  return new Map([...outcomes].flatMap(([id, { outcome_status: status }]) => (status ? [[id, status] as const] : [])))
}

/** The earliest planned ends. */
async function endsOf(records: readonly Envelope[], reader: RecordReader): Promise<Material['ends']> {
  const decisions = records.filter((record) => record.kind === 'decision' && inForce(record, reader.now))
  const successors = await reader.plannedSuccessors(decisions.map(({ record_id }) => record_id))
  return new Map([...successors].flatMap(([id, [next]]) => (next ? [[id, next] as const] : [])))
}

/** A decision that was recorded as rejected tells the reason itself: its rationale. */
async function rejectionsAmong(records: readonly Envelope[], rows: ReadonlyMap<string, Row>, reader: RecordReader) {
  const rejected = records.flatMap(({ id, record_id }) => {
    const row = rows.get(id)
    return row?.kind === 'decision' && 'dismissed' in row.mutable ? [record_id] : []
  })
  const answers = await rejectionsOf(rejected, reader)
  return new Map(rejected.map((id): [string, string] => [id, answers.get(id)?.note ?? '']))
}

async function passagesOf(texts: ReadonlyMap<string, string>, terms: readonly string[]) {
  const all = [...texts.values()].map(withoutCode)
  const passages = terms.length > 0 ? await bestPassages(all, terms) : all
  return new Map([...texts.keys()].map((id, at) => [id, passages[at] ?? '']))
}

async function evidenceOf({ record, kind, match, said_at }: Item, presenting: Presenting): Promise<Evidence> {
  const sources = await sourcesOf(record, presenting)
  const isOurs = sources.map((source) => namedRecord(source, record.workspace) !== undefined)
  const different = new Set(sources.map(({ type, id, url, title }) => JSON.stringify([type, id ?? url ?? title])))
  return {
    id: record.record_id,
    kind,
    said_at,
    sources: different.size,
    is_derived: isOurs.length > 0 && isOurs.every(Boolean),
    confidence: record.confidence,
    match,
  }
}

/** A record is about the query if it matches with this share of the best match. */
const nearBest = 0.8

/** The records whose conflicts are told. With a query those told in full, and those that match well, best first. */
function concerning(used: readonly Item[], first: ReadonlySet<Item>, { terms }: Found): Envelope[] {
  const matchOf = ({ match }: Item) => match ?? 0
  const best = Math.max(0, ...used.map(matchOf))
  const isAll = terms.length === 0 || best === 0
  const about = used.filter((item) => isAll || first.has(item) || matchOf(item) >= nearBest * best)
  return (isAll ? about : about.sort((a, b) => matchOf(b) - matchOf(a))).map(({ record }) => record)
}

/**
 * Conflicts of superseded records that were found, then of those that `records` superseded, latest first. With a query only
 * those that name one of `records`, in their order.
 */
async function conflictsAbout(
  records: readonly Envelope[],
  { replaced, superseding, terms }: Found,
  { presenting, reads }: With,
): Promise<ConflictResponse[]> {
  const { reader } = presenting
  const all = [...new Map([...records, ...superseding].map((record) => [record.record_id, record])).values()]
  const links = await reader.links(all)
  const older = [...all.keys()]
    .sort((a, b) => ((all[a] as Envelope).valid_from < (all[b] as Envelope).valid_from ? 1 : -1))
    .flatMap((at) => links[at]?.supersedes ?? [])
  const found = await reader.records([...replaced, ...older].map(({ record_id }) => record_id))
  const claims = await claimConflictsOf(records, presenting, reads.documents)
  if (terms.length === 0) {
    const conflicts = await conflictsOf([...found.values()].slice(0, mostConflicts), presenting)
    return [...conflicts.slice(0, mostConflicts), ...claims.slice(0, mostConflicts)]
  }
  const conflicts = await conflictsOf([...found.values()].slice(0, mostLookedAt), presenting)
  const places = new Map<string | undefined, number>(records.map(({ record_id }, at) => [record_id, at]))
  const placeOf = ({ source, superseded_by }: ConflictResponse) => places.get(superseded_by.id) ?? places.get(source.id)
  return [...conflicts, ...claims]
    .filter((one) => placeOf(one) !== undefined)
    .sort((a, b) => (placeOf(a) as number) - (placeOf(b) as number))
    .slice(0, mostIfAsked)
}
