/**
 * Pruning (PROTOCOL 2.6 and 6). Entries that all checkpoints have passed lose their content but keep their number for
 * ever. Receipts are deleted by id some days after they ended. Idempotency keys are never used for this.
 */
import { receipts } from '../../receipt.ts'
import { checkpointPages, comparedOf } from '../checkpoint.ts'
import { entries } from '../entry.ts'
import type { JournalPorts } from '../ports.ts'

export interface Retention {
  /** Days to keep entries; 0: for ever. */
  journalDays: number
  /** Days to keep a receipt after it has ended; 0: for ever. */
  receiptDays: number
}

const day = 24 * 60 * 60 * 1000
/** Documents changed by one update, so that a long backlog does not block other writes. */
const atOnce = 500

export async function prune(ports: JournalPorts, retention: Retention): Promise<{ emptied: number; removed: number }> {
  return {
    emptied: retention.journalDays > 0 ? await emptyEntries(ports, retention.journalDays) : 0,
    removed: retention.receiptDays > 0 ? await removeReceipts(ports, retention.receiptDays) : 0,
  }
}

async function emptyEntries(ports: JournalPorts, days: number): Promise<number> {
  const before = new Date(ports.clock.now() - days * day).toISOString()
  let emptied = 0
  for await (const page of checkpointPages(ports.documents, atOnce, ['projected', 'indexed'])) {
    for (const checkpoint of page) {
      const compared = await comparedOf(ports.documents, checkpoint.id)
      for (;;) {
        const old = await ports.documents.find(entries, {
          // keep the newest entry: the next one continues its sequences
          where: {
            workspace: checkpoint.id,
            emptied: false,
            number: { lt: Math.min(checkpoint.projected, checkpoint.indexed, compared) },
          },
          sort: [['number', 'asc']],
          limit: atOnce,
          fields: ['id', 'at'],
        })
        const ids = old.filter((entry) => entry.at < before).map((entry) => entry.id)
        if (ids.length === 0) break
        emptied += await ports.documents.updateMany(entries, ids, {
          set: { emptied: true, receipts: [], records: [], documents: {} },
        })
        if (ids.length < atOnce) break
      }
    }
  }
  return emptied
}

async function removeReceipts(ports: JournalPorts, days: number): Promise<number> {
  const before = new Date(ports.clock.now() - days * day).toISOString()
  let removed = 0
  for (;;) {
    const old = await ports.documents.find(receipts, {
      where: { open: 0, ended_at: { lt: before } },
      limit: atOnce,
      fields: ['id'],
    })
    if (old.length === 0) return removed
    removed += await ports.documents.delete(
      receipts,
      old.map((receipt) => receipt.id),
      { open: 0 },
    )
    if (old.length < atOnce) return removed
  }
}
