/** Reads the links of open questions in the order in which people are asked: by rank, then by id. */
import type { Documents, Where } from '../ports/documents.ts'
import { type QuestionLink, questionLinks } from '../records/projections/question-links.ts'

/** The last link that was read. */
export type LastRead = Pick<QuestionLink, 'rank' | 'id'>

interface Pages {
  /** Links of one page. */
  size: number
  /** Only links with these ranks: from the first, inclusive, to the second, exclusive (ranksOf). */
  ranks?: { from: number; to: number }
  /** The first page begins after this link. */
  after?: LastRead | undefined
}

/** The links that meet `where`, page by page. Each page is read when it is needed, and is never empty. */
export async function* openLinkPages(
  documents: Documents,
  where: Where<QuestionLink>,
  { size, ranks, after }: Pages,
): AsyncGenerator<QuestionLink[]> {
  const links = (rank: Where<QuestionLink>, limit: number) =>
    documents.find(questionLinks, { where: { ...where, open: 1, ...rank }, sort: bestFirst, limit })
  const end = ranks && { lt: ranks.to }
  for (let last = after; ; ) {
    const same = last ? await links({ rank: last.rank, id: { gt: last.id } }, size) : []
    const from = last ? { gt: last.rank } : ranks && { gte: ranks.from }
    const next = same.length === size ? [] : await links(from ? { rank: { ...from, ...end } } : {}, size - same.length)
    const page = [...same, ...next]
    if (page.length > 0) yield page
    if (page.length < size) return
    last = page.at(-1)
  }
}

/** The first page. */
export async function openLinks(
  documents: Documents,
  where: Where<QuestionLink>,
  pages: Pages,
): Promise<QuestionLink[]> {
  for await (const page of openLinkPages(documents, where, pages)) return page
  return []
}

const bestFirst = [
  ['rank', 'asc'],
  ['id', 'asc'],
] as const
