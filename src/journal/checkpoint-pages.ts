/** Iterates over all workspaces that have a checkpoint, which is every workspace with data. */
import type { Documents } from '../ports/documents.ts'
import { type Checkpoint, checkpoints } from './entry.ts'

/** Pages of `size` checkpoints, sorted by workspace. Each page is read when it is needed, and is never empty. */
export async function* checkpointPages<Field extends keyof Checkpoint & string>(
  documents: Documents,
  size: number,
  fields: readonly Field[],
): AsyncGenerator<Pick<Checkpoint, Field | 'id'>[]> {
  const shown = ['id' as const, ...fields]
  let after = ''
  for (;;) {
    const page = await documents.find(checkpoints, {
      where: { id: { gt: after } },
      sort: [['id', 'asc']],
      limit: size,
      fields: shown,
    })
    if (page.length > 0) yield page
    if (page.length < size) return
    after = (page.at(-1) as Pick<Checkpoint, 'id'>).id
  }
}
