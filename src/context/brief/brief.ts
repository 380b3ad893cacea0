/** context.brief: what an agent must know, in Markdown with numbered citations (specification 4; SEMANTICS 5). */

import { type Actor, audiencesOf } from '../../access/actor.ts'
import { checkpoints, firstIndex } from '../../journal/checkpoint.ts'
import { defineQuery, type Reads } from '../../operation.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { kinds, knowledgeKinds } from '../../records/kinds.ts'
import { type RecordReader, recordReader } from '../../records/read/reader.ts'
import { records } from '../../records/record.ts'
import { trustOf } from '../trust.ts'
import { cacheOf, type Made } from './cache.ts'
import { handoffSections, withHeadings } from './choose/handoff.ts'
import { type Material, materialOf } from './choose/material.ts'
import { matchingSections, type Section, standingSections } from './choose/sections.ts'
import { aboutQuestion } from './find/about-question.ts'
import type { Found, With } from './find/found.ts'
import { matching } from './find/matching.ts'
import { standing, standingOn } from './find/standing.ts'
import { lastVisible } from './last-visible.ts'
import { type BriefInput, type BriefOutput, briefInput, briefOutput } from './schema.ts'
import { untilChange } from './until.ts'
import { visibleOnly } from './visible.ts'
import { briefDecisions } from './write/decisions.ts'
import { writtenToFit } from './write/fit.ts'
import { newPage } from './write/page.ts'
import { noWork, workAsData, workInHand, workSection } from './write/work.ts'
import { failedAmong, failedSection } from './write/worked-out.ts'

export const brief = defineQuery<BriefInput, BriefOutput>({
  name: 'context.brief',
  scope: 'context:read',
  summary: 'What one should know, with citations: about a query, or right now.',
  input: briefInput,
  output: briefOutput,

  async run({ input, actor, reads }) {
    // read first: later reads contain at least everything up to this checkpoint
    const checkpoint = await reads.documents.get(checkpoints, actor.workspace, fields)
    // a workspace without writes has no checkpoint. Then use zeros: a hidden first write must not change the key
    const { projected_seq = 0, indexed_seq = 0, live = firstIndex } = checkpoint ?? {}
    // not projected_seq: a hidden write would change the key, and a new generated_at would reveal the write
    const visible_seq = await lastVisible(actor, reads.documents)
    const { query = null, lens = null, limit } = input
    const seen = [actor.workspace, audiencesOf(actor).sort(), actor.scopes.includes('tasks:read')]
    const key = JSON.stringify([...seen, query, lens, limit, visible_seq, live])
    const make = () => made(input, actor, reads)
    // don’t cache while records or index are behind: the brief may lack a write that a later caller knows of
    if (visible_seq > Math.min(projected_seq, indexed_seq)) return (await make()).answer
    return cacheOf<BriefOutput>(reads).get(key, reads.clock.now(), make)
  },
})

const fields = ['projected_seq', 'indexed_seq', 'live'] as const

async function made(input: BriefInput, actor: Actor, reads: Reads): Promise<Made<BriefOutput>> {
  const reader = recordReader(reads.documents, actor, reads.clock)
  const context: With = { actor, reads, presenting: { reader, publicUrl: reads.publicUrl } }
  const question = input.query === undefined ? undefined : await aboutQuestion(input.query, context)
  const [found, work] = question
    ? [question.found, noWork]
    : await Promise.all([foundFor(input, reader, reads), workInHand(input.query, context)])
  const sections = input.lens === 'handoff' ? await handoffSections(found, reader) : sectionsOf(input, found)
  const questionsOn = question?.asked ?? (input.query === undefined ? 'all' : 'used')
  const material = await materialOf(found, sections, questionsOn, context)
  const { used, questions, failures, conflicts, relevance } = material
  const failed = input.query === undefined || input.lens === 'handoff' ? [] : await failedAmong(found, context)
  const isEmpty = used.length === 0 && work.tasks.length === 0 && (await isNothingThere(reader, reads))
  const isStale = trustIn(material, () => true, reader.now)?.is_stale === true
  const asked = { about: input.query, lens: input.lens, now: reader.now, isStale }
  const further = [failedSection(failed), workSection(work)]
  const page = isEmpty ? newPage(context.presenting) : await writtenToFit(asked, material, further, context.presenting)
  if (isEmpty) page.line(howToBegin)
  const decisions = briefDecisions(material, page, context)
  const trust = trustIn(material, page.isCited, reader.now)
  const { markdown, citations } = await page.finished()
  const answer: BriefOutput = {
    markdown,
    generated_at: reader.now,
    ...(input.lens === undefined ? {} : { lens: input.lens }),
    conflicts,
    decisions,
    work: await workAsData(work, page, context),
    open_questions: questions,
    citations,
    ...(trust === undefined ? {} : { trust }),
    diagnostics: {
      empty_corpus: isEmpty,
      degraded: failures.length > 0,
      failure_reasons: failures,
      primary_relevance: relevance,
    },
  }
  const records = used.map(({ record }) => record)
  // a failed engine may recover at any time
  const passing = failures.length > 0 || found.passing || work.passing
  return { answer: visibleOnly(answer), until: await untilChange(records, reader, reads), passing }
}

/** Only of the records that the page tells: a short page leaves some out. */
function trustIn({ evidence, judged, questions, held }: Material, isTold: (id: string) => boolean, now: string) {
  const listed = new Set(questions.map(({ question_id }) => question_id))
  const counted = judged.filter(({ question, about }) => {
    return listed.has(question.question_id) || about.some(({ record_id }) => isTold(record_id))
  })
  const told = evidence.filter(({ id }) => isTold(id))
  return trustOf({ evidence: told, questions: counted.map(({ question }) => question), held, now })
}

function sectionsOf({ query }: BriefInput, found: Found): Section[] {
  return query === undefined ? standingSections(found) : matchingSections(found)
}

async function foundFor({ query, limit, lens }: BriefInput, reader: RecordReader, reads: Reads): Promise<Found> {
  if (query === undefined) {
    const found = await standing(limit, reader, reads)
    return lens === 'handoff' ? withHeadings(found, reader, reads) : found
  }
  try {
    return await matching({ query, limit }, reader, reads)
  } catch (error) {
    // a brief from the store alone is less complete, and says so
    if (!(error instanceof EngineUnavailable)) throw error
    return { ...(await standingOn(query, limit, reader, reads)), failures: [searchUnavailable] }
  }
}

const searchUnavailable =
  'Search is not available: this brief has only recent records with words of the query in their title or topics.'

const howToBegin = `# Nothing is recorded yet

There is no record that you may see. Ways to begin:

- \`precedent import <folder>\` imports a folder of decision records, JSONL or CSV.
- \`POST ${kinds.decision.path}\` records a decision: its title and its judgment are enough.
- \`POST ${kinds.memory.path}\` records a fact, a constraint, a commitment or the outcome of a session.`

async function isNothingThere(reader: RecordReader, { documents }: Reads): Promise<boolean> {
  const { workspace, audiences } = reader
  const where = { workspace, audience: { in: audiences }, kind: { in: knowledgeKinds } }
  return (await documents.find(records, { where, limit: 1, fields: ['id'] })).length === 0
}
