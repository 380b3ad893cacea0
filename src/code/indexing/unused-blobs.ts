/**
 * Removes parsed blobs that no row uses. A blob is only looked at some time after it was stored, found again or lost a
 * row, so that an attempt which has found it can write its rows first.
 */
import { type Clock, instant } from '../../ports/clock.ts'
import { type CodeBlob, codeBlobs } from '../stored/blob.ts'
import { type CodeFile, codeFiles } from '../stored/file.ts'
import type { CodeStore } from '../stored/store.ts'

interface Ports {
  documents: CodeStore['documents']
  clock: Clock
}

/** ms. Far more than an attempt takes from the blobs of a hundred files to their rows. */
const lookedAtAfter = 2 * 60 * 60_000
const blobsAtOnce = 250

/** A bounded step: what is left waits for the next one. */
export async function removeUnusedBlobs({ documents, clock }: Ports): Promise<void> {
  const due = { unused_since: { lte: new Date(clock.now() - lookedAtAfter).toISOString() } }
  const found = await documents.find(codeBlobs, {
    where: due,
    sort: [
      ['unused_since', 'asc'],
      ['id', 'asc'],
    ],
    limit: blobsAtOnce,
    fields: ['id'],
  })
  const used: string[] = []
  const unused: string[] = []
  for (const { id } of found) {
    const rows = await documents.count(codeFiles, { where: { parsed: id }, upTo: 1 })
    ;(rows > 0 ? used : unused).push(id)
  }
  // on condition: an attempt may have found the blob meanwhile
  if (used.length > 0) await documents.updateMany(codeBlobs, used, { set: { unused_since: null } }, due)
  if (unused.length > 0) await documents.delete(codeBlobs, unused, due)
}

/** Before the rows of these files are deleted. */
export async function mayBeUnused(files: readonly CodeFile[], { documents, clock }: Ports): Promise<void> {
  const ids = [...new Set(files.flatMap(({ parsed }) => parsed ?? []))]
  if (ids.length > 0) await documents.updateMany(codeBlobs, ids, { set: { unused_since: instant(clock) } })
}

/** Before rows are written that use these blobs, which were found stored. */
export async function keepBlobs(found: readonly CodeBlob[], { documents, clock }: Ports): Promise<void> {
  const doubtful = found.filter(({ unused_since }) => unused_since !== null)
  if (doubtful.length === 0) return
  const unused_since = instant(clock)
  await documents.updateMany(
    codeBlobs,
    doubtful.map(({ id }) => id),
    { set: { unused_since } },
  )
  // those that were removed just before the update
  await documents.insertMany(
    codeBlobs,
    doubtful.map((blob) => ({ ...blob, unused_since })),
  )
}
