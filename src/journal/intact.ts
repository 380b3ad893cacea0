/** What must hold before a service works on a store: a journal that says less than its records lost acknowledged writes. */
import { settings } from '../access/settings.ts'
import type { Documents } from '../ports/documents.ts'
import { records } from '../records/record.ts'
import { checkpointPages } from './checkpoint-pages.ts'
import type { Checkpoint } from './entry.ts'
import { headOf } from './head.ts'

/** Setting that is there as long as a restore has not ended. */
export const restoring = 'restoring'

const checkpointsAtOnce = 500
const askedAtOnce = 20

/** Throws what an operator must do: half a store is there, into which nothing but the restore may write. */
export async function assertRestored(documents: Documents): Promise<void> {
  if (await documents.get(settings, restoring, ['id'])) {
    throw new Error('A restore into this store has not ended. Empty the store and restore the backup again.')
  }
}

/** Throws what an operator must do. */
export async function assertIntact(documents: Documents): Promise<void> {
  await assertRestored(documents)
  for await (const page of checkpointPages(documents, checkpointsAtOnce, ['projected_seq'])) {
    for (let at = 0; at < page.length; at += askedAtOnce) {
      await Promise.all(
        page.slice(at, at + askedAtOnce).map((checkpoint) => assertWithinJournal(documents, checkpoint)),
      )
    }
  }
}

async function assertWithinJournal(
  documents: Documents,
  { id: workspace, projected_seq }: Pick<Checkpoint, 'id' | 'projected_seq'>,
): Promise<void> {
  const [newest] = await documents.find(records, {
    where: { workspace },
    sort: [['seq', 'desc']],
    limit: 1,
    fields: ['seq'],
  })
  // after the records: other processes may be writing, and append before they project
  const { last_seq } = await headOf(documents, workspace)
  const known = Math.max(newest?.seq ?? 0, projected_seq)
  if (known <= last_seq) return
  throw new Error(
    `The records of workspace ${workspace} go up to sequence ${known}, its journal only to ${last_seq}: ` +
      'the store was not copied as a whole. Restore a backup that `precedent backup` took into an empty store.',
  )
}
