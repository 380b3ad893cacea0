/** Going through all workspaces that have a checkpoint: all in which something was written. */
import type { Documents } from '../ports/documents.ts'
import { type Checkpoint, checkpoints } from './entry.ts'

/** `size` at a time, in the order of the workspaces; each page as it is when it is asked for. Never an empty page. */
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
