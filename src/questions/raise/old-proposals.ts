/**
 * One question about the proposals of one source that nobody has decided for half a year (docs/questions.md). It is for one
 * audience. A proposal that is decided leaves the question.
 */
import { createHash } from 'node:crypto'
import type { RowUpdate } from '../../deciding/outcome.ts'
import type { RecordId } from '../../ids.ts'
import type { About, QuestionBody } from '../../records/body.ts'
import type { Envelope, RecordOf } from '../../records/record.ts'
import { cut } from '../../records/title.ts'
import { oldProposalsScoring } from '../priority.ts'
import { type Finding, rewording } from '../question.ts'
import { longestClaim, longestSubject } from '../schema.ts'

type Proposal = Pick<Envelope, 'id' | 'record_id' | 'audience' | 'title' | 'valid_from' | 'sources'>

/** Proposals of one question: all are changed in one entry. */
export const mostProposals = 50
/** ms. */
const halfAYear = 180 * 24 * 60 * 60 * 1000

export function isOld({ valid_from }: Pick<Envelope, 'valid_from'>, now: string): boolean {
  return Date.parse(valid_from) <= Date.parse(now) - halfAYear
}

/** The folder that a proposal was imported from, else the type of its first source. Empty: it names no source. */
export function sourceOfProposal({ sources: [first] }: Pick<Proposal, 'sources'>): string {
  if (first === undefined) return ''
  const { provenance, type } = first
  const folder = provenance.class === 'repo' ? provenance.path.split('/').slice(0, -1).join('/') : ''
  return folder || type
}

/** `proposals`: all of one source and one audience. The oldest is named first. */
export function oldProposalsFinding(proposals: readonly [Proposal, ...Proposal[]]): Finding {
  const [{ audience }] = proposals
  const source = sourceOfProposal(proposals[0])
  const about = [...proposals].sort((a, b) => (a.valid_from < b.valid_from ? -1 : 1)).map(aboutOf)
  return {
    form: 'clarification',
    reason: 'pending_judgment',
    audience,
    about,
    ...oldProposalsScoring,
    ...wording(source, about),
    // made of all rows: whoever answers it has read about each of them
    mark: `${hashed([audience, source], 12)}-${hashed(proposals.map(({ id }) => id).sort(), 24)}`,
  }
}

/** undefined: no proposal is left. */
export function withoutProposals(
  question: RecordOf<'question'>,
  gone: ReadonlySet<RecordId>,
  at: string,
): RowUpdate | undefined {
  const { body } = question
  const about = body.about.filter(({ record }) => !gone.has(record))
  if (about.length === 0) return undefined
  return rewording(question, { ...body, about, ...wording(body.subject.query ?? '', about) }, at)
}

function aboutOf({ record_id, title }: Proposal): About {
  return { record: record_id, claim: title, whole: true }
}

function wording(source: string, about: readonly About[]): Pick<QuestionBody, 'claim' | 'subject'> {
  const count = about.length === 1 ? '1 proposal' : `${about.length} proposals`
  const of = source === '' ? '' : ` of ${source}`
  const isOlder = about.length === 1 ? 'is older' : 'are older'
  const titles = about.map(({ claim }) => `“${claim}”`).join(', ')
  return {
    claim: cut(`${count}${of} ${isOlder} than half a year: still open? ${titles}`, longestClaim),
    subject: { kind: 'decision', ...(source === '' ? {} : { query: cut(source, longestSubject) }) },
  }
}

function hashed(value: unknown, length: number): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, length)
}
