/**
 * What bears on a task: decisions in force, constraints and commitments, open questions and past outcomes. What belongs to
 * the decisions that the task names comes first, then what search finds. Written and cited as in a brief.
 */
import type { Actor } from '../access/actor.ts'
import { type Material, materialOf } from '../context/brief/choose/material.ts'
import type { Section } from '../context/brief/choose/sections.ts'
import { type Found, type Item, itemsOf, nothingFound, type With } from '../context/brief/find/found.ts'
import { matching } from '../context/brief/find/matching.ts'
import { visibleOnly } from '../context/brief/visible.ts'
import { briefDecisions } from '../context/brief/write/decisions.ts'
import { newPage, type Page } from '../context/brief/write/page.ts'
import { type WorkedOut, workedOutAmong, workedOutLine } from '../context/brief/write/worked-out.ts'
import { aboutSomething, type Further, writeBrief } from '../context/brief/write/write.ts'
import type { EvidenceKind } from '../context/trust.ts'
import type { Reads } from '../operation.ts'
import { EngineUnavailable } from '../ports/unavailable.ts'
import { openQuestionsOn, type ShownQuestion } from '../questions/open.ts'
import { inForce } from '../records/in-force.ts'
import { titleWithStatus, urlField } from '../records/present/present.ts'
import { type RecordReader, recordReader } from '../records/read/reader.ts'
import type { SeenRecord } from '../records/read/seen-record.ts'
import type { Envelope } from '../records/record.ts'
import type { TaskContent } from '../records/task.ts'
import { cut } from '../records/title.ts'
import { answers } from '../text/scorer.ts'
import { type Enrichment, mostOfEach } from './enrichment-schema.ts'

/** Code points of a memory or of the notes of an outcome. */
const longestContent = 1_000
/** Code points of name and description that are searched for, as in a query. */
const longestQuery = 2_000

type Task = Pick<TaskContent, 'name' | 'description' | 'decision_ids'>

/** As this actor sees it, who needs the scope context:read. A run calls it for its copy of the task. */
export async function enrichmentOf(task: Task, actor: Actor, reads: Reads): Promise<Enrichment> {
  const reader = recordReader(reads.documents, actor, reads.clock)
  const context: With = { actor, reads, presenting: { reader, publicUrl: reads.publicUrl } }
  const { found, decisions, constraints, workedOut, sessions, questions } = await chosenFor(task, context)
  const sections = [
    sectionOf('Decisions in force', decisions, 'decision'),
    sectionOf('Constraints and commitments', constraints, 'constraint', 'commitment'),
    // only those that may have outdated what is told above
    sectionOf('Facts', [], 'fact', 'correction'),
    sectionOf('From earlier sessions', sessions, 'session_outcome'),
  ]
  const all = await materialOf(found, sections, questions, context)
  const material = { ...all, conflicts: all.conflicts.slice(0, mostOfEach) }
  const page = newPage(context.presenting)
  const asked = { about: `What bears on: ${task.name}`, lens: undefined, now: reader.now, isStale: false }
  await writeBrief(asked, aboutSomething, material, [outcomesSection(workedOut)], page)
  const isEmpty = material.used.length + workedOut.length + material.questions.length + material.conflicts.length === 0
  if (isEmpty && material.failures.length === 0) page.line('Nothing that is recorded bears on it.')
  const { markdown, citations } = await page.finished()
  const memory = <Kind extends EvidenceKind>(item: Of<Kind>) => memoryOf(item, material, page, context)
  return visibleOnly<Enrichment>({
    markdown,
    decisions: briefDecisions(material, page, context),
    constraints: constraints.map((item) => memory(item)),
    open_questions: material.questions,
    outcomes: [...workedOut.map((one) => outcomeOf(one, page, context)), ...sessions.map((item) => memory(item))],
    conflicts: material.conflicts,
    citations,
    degraded: material.failures.length > 0,
  })
}

type Of<Kind extends EvidenceKind> = Item & { kind: Kind }

interface Chosen {
  found: Found
  decisions: Of<'decision'>[]
  constraints: Of<'constraint' | 'commitment'>[]
  workedOut: WorkedOut[]
  sessions: Of<'session_outcome'>[]
  questions: ShownQuestion[]
}

async function chosenFor(task: Task, context: With): Promise<Chosen> {
  const { reader } = context.presenting
  const [named, searched] = await Promise.all([namedBy(task, reader), searchedFor(task, reader, context.reads)])
  const informing = searched.also.filter(({ kind }) => kind !== 'decision')
  const own = new Set(named.items.map(({ record }) => record.record_id))
  const matched = [...searched.decisions, ...answering(searched, reader), ...searched.memories, ...informing]
  const others = matched.filter(({ record }) => !own.has(record.record_id))
  const items = [...named.items, ...others]
  const first = <Kind extends EvidenceKind>(...kinds: Kind[]) =>
    items.filter((item): item is Of<Kind> => kinds.includes(item.kind as Kind)).slice(0, mostOfEach)
  const decisions = first('decision')
  const constraints = first('constraint', 'commitment')
  // also decisions that are no longer in force: what failed may be tried again
  const past = [...named.decisions, ...[...decisions, ...searched.others].map(({ record }) => record)]
  const workedOut = (await workedOutAmong([...past, ...searched.replaced], context)).slice(0, mostOfEach)
  return {
    // of what search found no conflict is told, unless it is shown itself
    found: { ...searched, replaced: named.replaced },
    ...{ decisions, constraints, workedOut },
    sessions: first('session_outcome').slice(0, mostOfEach - workedOut.length),
    questions: await questionsOn(named.decisions, [...decisions, ...constraints], context),
  }
}

/**
 * Of the decisions that a brief tells in one line: those that are in force and answer the search. If no decision answers it,
 * the best one: the words of a small store tell little.
 */
function answering({ decisions, also }: Found, { now }: RecordReader): Item[] {
  const holding = also.filter(({ kind, record }) => kind === 'decision' && inForce(record, now))
  const found = holding.filter(({ match }) => (match ?? 0) >= answers)
  return decisions.length + found.length > 0 ? found : holding.slice(0, 1)
}

interface Named {
  /** The decisions that the task names, whether in force or not. */
  decisions: SeenRecord[]
  /** Those of them that were superseded. */
  replaced: SeenRecord[]
  /** What is in force of them, or in their place. */
  items: Item[]
}

async function namedBy({ decision_ids }: Task, reader: RecordReader): Promise<Named> {
  const decisions = [...(await reader.records(decision_ids)).values()]
  const heads = await reader.heads(decision_ids)
  const records = [...new Map([...heads.values()].map((head) => [head.record_id, head])).values()]
  return {
    decisions,
    replaced: decisions.filter(({ record_id }) => (heads.get(record_id)?.record_id ?? record_id) !== record_id),
    items: await itemsOf(
      records.filter((head) => inForce(head, reader.now)).map((record) => ({ record, score: null })),
      reader,
    ),
  }
}

async function searchedFor({ name, description }: Task, reader: RecordReader, reads: Reads): Promise<Found> {
  try {
    const query = cut(`${name}\n${description}`, longestQuery)
    const found = await matching({ query, limit: mostOfEach }, reader, reads)
    // that nothing was found need not be said: the task may name what it needs
    return { ...found, relevance: found.relevance === 'none' ? 'unscoped' : found.relevance }
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error
    return { ...nothing, failures: [searchUnavailable] }
  }
}

const nothing: Found = { ...nothingFound, relevance: 'unknown' }

const searchUnavailable = 'Search is not available: this has only what belongs to the decisions that the task names.'

/** The most urgent ones of the decisions that the task names, then those of other records. */
async function questionsOn(named: readonly SeenRecord[], others: readonly Item[], context: With) {
  const on = (records: readonly Envelope[]) => openQuestionsOn(context, records, mostOfEach)
  const [first, then] = [await on(named), await on(others.map(({ record }) => record))]
  const known = new Set(first.map(({ question }) => question.question_id))
  return [...first, ...then.filter(({ question }) => !known.has(question.question_id))].slice(0, mostOfEach)
}

function sectionOf(heading: string, items: Item[], ...kinds: Item['kind'][]): Section {
  return { heading, items, kinds, otherwise: null, note: () => '' }
}

function outcomesSection(workedOut: readonly WorkedOut[]): Further {
  return { heading: 'Past outcomes', lines: (page) => workedOut.map((one) => workedOutLine(one, page, one.status)) }
}

function memoryOf<Kind extends EvidenceKind>(
  { record, kind }: Of<Kind>,
  { texts }: Material,
  page: Page,
  { presenting }: With,
) {
  return { ...citedAs(record, page, presenting), kind, content: cut(texts.get(record.id) ?? '', longestContent) }
}

function outcomeOf({ record, status, notes }: WorkedOut, page: Page, { presenting }: With) {
  return {
    ...citedAs(record, page, presenting),
    kind: 'decision' as const,
    outcome_status: status,
    content: cut(notes, longestContent),
  }
}

function citedAs(record: Envelope, page: Page, presenting: With['presenting']) {
  const { record_id: id, valid_from: occurred_at } = record
  const title = titleWithStatus(record)
  return { id, title, ...urlField(record, presenting.publicUrl), occurred_at, citation: page.numberOf(record) }
}
