/** Checks at start that the store is complete. A journal that ends before its records has lost acknowledged writes. */
import { settings } from '../../access/settings.ts'
import type { Documents } from '../../ports/documents.ts'
import { records } from '../../records/record.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { checkpointPages } from '../checkpoint.ts'
import { headOf } from '../head.ts'

/** A setting that exists while a restore is running or has failed. */
export const restoring = 'restoring'

const checkpointsAtOnce = 500
const askedAtOnce = 20

/**
 * Throws if a restore has not finished. Only the restore may write into the store until then. The message is for
 * operators.
 */
export async function assertRestored(documents: Documents): Promise<void> {
  if (await documents.get(settings, restoring, ['id'])) {
    throw new Error('A restore into this store has not ended. Empty the store and restore the backup again.')
  }
}

/** Throws if the store is damaged. The message tells the operator what to do. */
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
  // read after the records: other processes may be writing, and they append before they project
  const { last_seq } = await headOf(documents, workspace)
  const known = Math.max(newest?.seq ?? 0, projected_seq)
  if (known <= last_seq) return
  throw new Error(
    `The records of workspace ${workspace} go up to sequence ${known}, its journal only to ${last_seq}: ` +
      'the store was not copied as a whole. Restore a backup that `precedent backup` took into an empty store.',
  )
}
