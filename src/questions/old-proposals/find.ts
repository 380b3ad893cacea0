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
import { bodyOf, type QuestionBody } from '../../records/body.ts'
import { type QuestionLink, ranksOf } from '../../records/projections/question-links.ts'
import { type Envelope, envelopeFields, records } from '../../records/record.ts'
import { openLinkPages, openLinks } from '../open-links.ts'
import { judgmentScores, oldProposalsScoring } from '../priority.ts'
import { isOld, mostProposals, sourceOfProposal } from '../raise/old-proposals.ts'
import { isAboutOldProposals } from '../schema.ts'
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
  proposals: Pick<Envelope, 'id' | 'record_id'>[]
}

export async function gatherOldProposals(ports: Ports): Promise<void> {
  for (const group of await groupsOf(ports)) {
    const open = await openQuestionOf(ports, group)
    const room = open === undefined ? 0 : mostProposals - open.about.length
    const [joining, rest] = [group.proposals.slice(0, room), group.proposals.slice(room)]
    if (joining.length > 0) await submit(ports, { ...group, proposals: joining }, open)
    // a single proposal is judged by its own question
    for (const proposals of chunks(rest, mostProposals)) {
      if (proposals.length > 1) await submit(ports, { ...group, proposals })
    }
  }
}

async function groupsOf(ports: Ports): Promise<Group[]> {
  const { documents } = ports
  const groups = new Map<string, Group>()
  let gathered = 0
  // open judgments of single proposals, in all workspaces
  for await (const links of openLinkPages(documents, {}, { size: linksAtOnce, ranks: ranksOf(judgmentScores) })) {
    for (const proposal of await proposalsOf(ports, links)) {
      const { workspace, audience } = proposal
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

/** A proposal beside a decided revision is left out: the decision stays in force whatever becomes of it. */
async function proposalsOf({ documents, clock }: Ports, links: readonly QuestionLink[]) {
  const now = instant(clock)
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

/** The open question about proposals of the group's source, if it has room for more. */
async function openQuestionOf({ documents }: Ports, { workspace, audience, source }: Group) {
  const ranks = ranksOf({ least: oldProposalsScoring.score, most: oldProposalsScoring.score })
  const links = await openLinks(documents, { workspace, audience }, { size: linksAtOnce, ranks })
  const ids = [...new Set(links.map(({ question }) => question))]
  const rows = ids.length === 0 ? [] : await documents.find(records, { where: { id: { in: ids } }, limit: ids.length })
  return rows
    .filter(({ valid_to }) => valid_to === null)
    .map((row) => bodyOf(row, 'question'))
    .filter((body) => isAboutOldProposals(body) && (body.subject.query ?? '') === source)
    .find(({ about }) => about.length < mostProposals)
}

/** `open`: the question that the proposals join. */
async function submit(ports: Ports, { workspace, proposals }: Group, open?: QuestionBody) {
  const gathered = JSON.stringify([proposals.map(({ id }) => id).sort(), open?.question_id])
  // one of those that the open question names stands for all of them
  const named = open ? open.about.slice(0, 1).map(({ record }) => record) : []
  await accept(ports, {
    operation: gatherProposals,
    actor: serviceActor('maintain', workspace, await ports.workspaceType(workspace)),
    input: { proposals: [...proposals.map(({ record_id }) => record_id), ...named] },
    idempotencyKey: `gather-proposals/${createHash('sha256').update(gathered).digest('hex')}`,
    lane: 'import',
  })
}
