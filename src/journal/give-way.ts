/** How what follows the index at its own pace gives way to writes that wait to be applied. */
import type { Clock } from '../ports/clock.ts'
import type { Documents } from '../ports/documents.ts'
import { receipts } from '../receipts/receipt.ts'

/** How long a turn waits for writes that are on their way, in ms. */
const whileWriting = 20

/** Others have their turn; where a write waits to be applied it has a longer one. */
export async function giveWay({ documents, clock }: { documents: Documents; clock: Clock }): Promise<void> {
  const [open] = await documents.find(receipts, { where: { open: 1 }, limit: 1, fields: ['id'] })
  await clock.sleep(open ? whileWriting : 0)
}
