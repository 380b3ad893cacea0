/**
 * Finds proposals that are asked about one by one and have become older than half a year. Those of one source are gathered
 * into one question (gather.ts). It runs in the maintain process, because proposals age while nothing is written.
 */
import { createHash } from 'node:crypto'
import { serviceActor } from '../../access/actor.ts'
import type { Audience, WorkspaceId } from '../../ids.ts'
import type { JournalPorts } from '../../journal/ports.ts'
import { chunks } from '../../ports/chunks.ts'
import { instant } from '../../ports/clock.ts'
import { type AcceptPorts, accept } from '../../receipts/accept.ts'
import { bodyOf } from '../../records/body.ts'
import { type QuestionLink, ranksOf } from '../../records/projections/question-links.ts'
import { envelopeFields, records } from '../../records/record.ts'
import { openLinks } from '../open-links.ts'
import { judgmentScores, oldProposalsScoring } from '../priority.ts'
import { isAboutOldProposals, isOld, mostProposals, type Proposal, sourceOfProposal } from '../raise/old-proposals.ts'
import { gatherProposals } from './gather.ts'

type Ports = JournalPorts & AcceptPorts

/** Links of one query. */
const linksAtOnce = 500
/** Rows of the proposals of one query. */
const mostRevisions = 10_000
/** Proposals gathered in one run; the next run gathers others. */
const mostGathered = 5_000

interface Group {
  workspace: WorkspaceId
  audience: Audience
  source: string
  proposals: Proposal[]
}

export async function gatherOldProposals(ports: Ports): Promise<void> {
  for (const group of await groupsOf(ports)) {
    const open = await openQuestionOf(ports, group)
    const room = open === undefined ? 0 : mostProposals - open.count
    // a single proposal is judged by its own question
    if (room === 0 && group.proposals.length === 1) continue
    const [first, rest] = [group.proposals.slice(0, room), group.proposals.slice(room)]
    if (open && first.length > 0) await submit(ports, group, first, open.question)
    for (const some of chunks(rest, mostProposals)) if (some.length > 1) await submit(ports, group, some)
  }
}

async function groupsOf(ports: Ports): Promise<Group[]> {
  const now = instant(ports.clock)
  const groups = new Map<string, Group>()
  let gathered = 0
  for await (const links of linksOfJudgments(ports)) {
    for (const { workspace, ...proposal } of await proposalsOf(ports, links, now)) {
      const { audience } = proposal
      const source = sourceOfProposal(proposal)
      const key = JSON.stringify([workspace, audience, source])
      const group = groups.get(key) ?? { workspace, audience, source, proposals: [] }
      group.proposals.push(proposal)
      groups.set(key, group)
      gathered++
    }
    if (gathered >= mostGathered) break
  }
  return [...groups.values()]
}

/** Open judgments of single proposals, in all workspaces. */
async function* linksOfJudgments({ documents }: Ports): AsyncGenerator<QuestionLink[]> {
  const ranks = ranksOf(judgmentScores)
  for (let after: QuestionLink | undefined; ; ) {
    const page = await openLinks(documents, {}, { limit: linksAtOnce, ranks, after })
    if (page.length > 0) yield page
    if (page.length < linksAtOnce) return
    after = page.at(-1)
  }
}

/** A proposal beside a decided revision is left out: the decision stays in force whatever becomes of it. */
async function proposalsOf({ documents }: Ports, links: readonly QuestionLink[], now: string) {
  const ids = [...new Set(links.map(({ record_id }) => record_id))]
  const workspaces = [...new Set(links.map(({ workspace }) => workspace))]
  const rows = await documents.find(records, {
    where: { workspace: { in: workspaces }, record_id: { in: ids } },
    limit: mostRevisions,
    fields: envelopeFields,
  })
  return rows.filter(
    (row) => row.feed !== 'none' && row.status === 'proposed' && row.superseded_by === null && isOld(row, now),
  )
}

async function openQuestionOf({ documents }: Ports, { workspace, audience, source }: Group) {
  const ranks = ranksOf({ least: oldProposalsScoring.score, most: oldProposalsScoring.score })
  const links = await openLinks(documents, { workspace, audience }, { limit: linksAtOnce, ranks })
  const ids = [...new Set(links.map(({ question }) => question))]
  if (ids.length === 0) return undefined
  const rows = await documents.find(records, { where: { id: { in: ids } }, limit: ids.length })
  const open = rows.flatMap((row) => {
    const body = bodyOf(row, 'question')
    const isOfSource = row.valid_to === null && isAboutOldProposals(body) && (body.subject.query ?? '') === source
    return isOfSource ? [{ question: row.id, count: body.about.length }] : []
  })
  return open.find(({ count }) => count < mostProposals)
}

async function submit(ports: Ports, { workspace }: Group, proposals: readonly Proposal[], open?: string) {
  const rows = createHash('sha256')
    .update(JSON.stringify([proposals.map(({ id }) => id).sort(), open]))
    .digest('hex')
  await accept(ports, {
    operation: gatherProposals,
    actor: serviceActor('maintain', workspace, await ports.workspaceType(workspace)),
    input: { proposals: proposals.map(({ record_id }) => record_id), ...(open === undefined ? {} : { open }) },
    idempotencyKey: `gather-proposals/${rows}`,
    lane: 'import',
  })
}
