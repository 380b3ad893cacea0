/** Reads the links of open questions in the order in which people are asked: by rank, then by id. */
import type { Documents, Where } from '../ports/documents.ts'
import { type QuestionLink, questionLinks } from '../records/projections/question-links.ts'

/** The last link that was read. */
export type LastRead = Pick<QuestionLink, 'rank' | 'id'>

interface Page {
  limit: number
  /** Only links with these ranks: from the first, inclusive, to the second, exclusive (ranksOf). */
  ranks?: { from: number; to: number }
  /** The page begins after this link. */
  after?: LastRead | undefined
}

/** A page of the links that meet `where`. */
export async function openLinks(
  documents: Documents,
  where: Where<QuestionLink>,
  { limit, ranks, after }: Page,
): Promise<QuestionLink[]> {
  const links = (rank: Where<QuestionLink>, most: number) =>
    documents.find(questionLinks, { where: { ...where, open: 1, ...rank }, sort: bestFirst, limit: most })
  const end = ranks && { lt: ranks.to }
  if (!after) return links(ranks ? { rank: { gte: ranks.from, ...end } } : {}, limit)
  const same = await links({ rank: after.rank, id: { gt: after.id } }, limit)
  if (same.length === limit) return same
  return [...same, ...(await links({ rank: { gt: after.rank, ...end } }, limit - same.length))]
}

const bestFirst = [
  ['rank', 'asc'],
  ['id', 'asc'],
] as const
