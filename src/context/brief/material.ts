/** The content of one brief: the chosen records with their texts, conflicts and questions. */
import type { Actor } from '../../access/actor.ts'
import type { RecordId } from '../../ids.ts'
import type { Reads } from '../../operation.ts'
import { openQuestionsOn, type ShownQuestion } from '../../questions/open.ts'
import { mostQuestions, type OpenQuestion } from '../../questions/schema.ts'
import type { SeenBy } from '../../questions/who-sees.ts'
import { bodyOf, type DecisionBody } from '../../records/body.ts'
import { namedIn, namedRecord } from '../../records/named.ts'
import { type ConflictResponse, conflictsOf, type Presenting, sourcesOf } from '../../records/present/present.ts'
import { type ClaimResponse, claimConflictsOf, claimResponsesOf } from '../../records/present/superseded-claims.ts'
import type { SeenRecord } from '../../records/read/seen-record.ts'
import type { Envelope } from '../../records/record.ts'
import { bestPassages } from '../../text/best-passage.ts'
import type { Evidence } from '../trust.ts'
import type { Found, Item } from './found.ts'
import type { Section } from './sections.ts'

export interface Material extends Pick<Found, 'relevance' | 'held' | 'terms' | 'failures'> {
  sections: Section[]
  /** The records of all sections, each once. */
  used: Item[]
  evidence: Evidence[]
  /** Bodies of decisions, by row id. */
  bodies: Map<string, DecisionBody>
  /** Superseded claims of decisions, by row id. */
  claims: Map<string, ClaimResponse[]>
  /** Texts of memories, by row id; with a query the best passage of each. */
  texts: Map<string, string>
  conflicts: ConflictResponse[]
  questions: OpenQuestion[]
  /** By question_id. */
  seenBy: Map<string, SeenBy>
  /** Records that questions are about, and successors in conflicts. */
  named: Map<string, SeenRecord>
}

/** The most conflicts about whole records. As many again may be about single claims. */
const mostConflicts = 10

export interface With {
  actor: Actor
  reads: Reads
  presenting: Presenting
}

export async function materialOf(
  found: Found,
  sections: Section[],
  questionsOn: 'used' | 'all' | ShownQuestion[],
  context: With,
): Promise<Material> {
  const { reader } = context.presenting
  const used = [...new Set(sections.flatMap(({ items }) => items))]
  const records = used.map(({ record }) => record)
  const rowsOf = (kind: Envelope['kind']) => records.filter((record) => record.kind === kind).map(({ id }) => id)
  // one read for evidenceOf, which checks for each record which of its sources are visible
  await reader.records(records.flatMap(({ sources, workspace }) => namedIn(sources, workspace)))
  const [evidence, decided, remembered, conflicts, asked] = await Promise.all([
    Promise.all(used.map((item) => evidenceOf(item, context.presenting))),
    reader.rows(rowsOf('decision'), ['kind', 'body', 'mutable']),
    reader.rows(rowsOf('memory'), ['text']),
    conflictsAbout(records, found, context),
    Array.isArray(questionsOn)
      ? questionsOn
      : openQuestionsOn(context, questionsOn === 'all' ? 'all' : records, mostQuestions),
  ])
  const questions = asked.map(({ question }) => question)
  const named = [...questions.map(({ subject }) => subject?.id), ...conflicts.map((one) => one.superseded_by.id)]
  const { relevance, held, terms, failures } = found
  const bodies = new Map([...decided].map(([id, row]) => [id, bodyOf(row, 'decision')]))
  const claims = await Promise.all(
    [...decided].map(async ([id, { mutable }]) => [id, await claimResponsesOf(mutable, context.presenting)] as const),
  )
  return {
    ...{ sections, used, evidence, conflicts, questions, relevance, held, terms, failures },
    bodies,
    claims: new Map(claims),
    seenBy: new Map(asked.map(({ question, seenBy }) => [question.question_id, seenBy])),
    texts: await textsOf(remembered, terms),
    named: await reader.records(named.flatMap((id) => (id as RecordId | undefined) ?? [])),
  }
}

async function textsOf(rows: ReadonlyMap<string, { text: string }>, terms: readonly string[]) {
  const texts = [...rows.values()].map(({ text }) => text)
  const passages = terms.length > 0 ? await bestPassages(texts, terms) : texts
  return new Map([...rows.keys()].map((id, at) => [id, passages[at] ?? '']))
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

/** Conflicts of superseded records that were found, then of those that the brief's records superseded, latest first. */
async function conflictsAbout(
  records: readonly Envelope[],
  { replaced, superseding }: Found,
  { presenting, reads }: With,
): Promise<ConflictResponse[]> {
  const { reader } = presenting
  const all = [...new Map([...records, ...superseding].map((record) => [record.record_id, record])).values()]
  const links = await reader.links(all)
  const older = [...all.keys()]
    .sort((a, b) => ((all[a] as Envelope).valid_from < (all[b] as Envelope).valid_from ? 1 : -1))
    .flatMap((at) => links[at]?.supersedes ?? [])
  const found = await reader.records([...replaced, ...older].map(({ record_id }) => record_id))
  const conflicts = await conflictsOf([...found.values()].slice(0, mostConflicts), presenting)
  const claims = await claimConflictsOf(records, presenting, reads.documents)
  return [...conflicts.slice(0, mostConflicts), ...claims.slice(0, mostConflicts)]
}
