/** Reads a collection page by page. */
import type { Collection, Document, Documents, Picked, Where } from './documents.ts'

/**
 * The documents that meet `where`, in the order of ids, in pages of `limit`. Each page is read when it is needed, and is
 * never empty. Ids never change, so no document that exists from the start is missed.
 */
export async function* pagesById<T extends Document, F extends keyof T & string = keyof T & string>(
  documents: Pick<Documents, 'find'>,
  collection: Collection<T>,
  { where, limit, fields }: { where?: Where<T>; limit: number; fields?: readonly F[] },
): AsyncGenerator<Picked<T, F | 'id'>[]> {
  const shown = fields && { fields: ['id', ...fields] as (F | 'id')[] }
  for (let after = ''; ; ) {
    const page = await documents.find<T, F | 'id'>(collection, {
      where: { ...where, id: { gt: after } } as Where<T>,
      sort: [['id', 'asc']],
      limit,
      ...shown,
    })
    if (page.length > 0) yield page
    const last = page.at(-1) as Document | undefined
    if (last === undefined || page.length < limit) return
    after = last.id
  }
}
