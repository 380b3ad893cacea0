/** `precedent receipts`: one receipt, or all that are open until they have ended. */
import type { Command } from 'commander'
import { uuidPattern } from '../../records/ids.ts'
import { type Client, longPatience, pause } from '../client.ts'
import { type ExitCode, exitCodes, Failure, usage } from '../failure.ts'
import { inFlight } from '../in-flight.ts'
import { progressOn } from '../progress.ts'
import {
  type Counts,
  countsOf,
  isOpen,
  isRefused,
  openIn,
  openStates,
  type ReceiptResponse,
  receiptLine,
  receiptsOf,
  receiptWithId,
  refusedIn,
  refusedStates,
  total,
} from '../receipts.ts'
import type { Act, Session } from '../session.ts'
import { count } from '../terminal.ts'

/** ms between two looks. */
const lookEvery = 500
/** How many of one list are shown. */
const mostListed = 1000
const atOnce = 8

export function addReceipts(program: Command, act: Act): void {
  const receipts = program.command('receipts').description('what became of writes')
  receipts
    .command('watch')
    .description('follow the open receipts of this key until all have ended')
    .option('--batch <id>', 'only those of one import')
    .action(act((session: Session, options: { batch?: string }) => watch(session, options.batch)))
  receipts.command('get').argument('<id>', 'the receipt_id').description('show one receipt').action(act(get))
}

async function get({ client, terminal }: Session, id: string): Promise<ExitCode> {
  const receipt = await receiptWithId(client(), id)
  if (terminal.json) terminal.printJson(receipt)
  else terminal.print(describe(receipt))
  return isRefused(receipt) ? exitCodes.failed : exitCodes.ok
}

function describe(receipt: ReceiptResponse): string {
  const { accepted_at, updated_at, retryable } = receipt
  const again = receipt.error
    ? `\n  ${retryable ? 'sent again under a new key it may succeed' : 'sent again it would end the same way'}`
    : ''
  return `${receiptLine(receipt)}\n  accepted ${accepted_at}, last change ${updated_at}${again}`
}

async function watch(session: Session, batch: string | undefined): Promise<ExitCode> {
  if (batch === undefined) return watchOwn(session)
  if (!uuidPattern.test(batch))
    throw usage(`${batch} is not the id of a batch.`, '`precedent import --no-wait` prints it.')
  return watchBatch(session, batch)
}

async function watchBatch(session: Session, batch: string): Promise<ExitCode> {
  const { terminal, signal } = session
  await countsOf(session.client(), batch)
  const progress = progressOn(terminal, 'Receipts', 'applied')
  const client = session.client(longPatience, progress.waits)
  let counts: Counts
  try {
    counts = await countsOf(client, batch)
    if (total(counts) === 0) throw noBatch(batch)
    progress.start(total(counts))
    for (; openIn(counts) > 0; counts = await countsOf(client, batch)) {
      progress.update(total(counts) - openIn(counts))
      await pause(lookEvery, signal)
    }
    progress.update(total(counts))
  } finally {
    progress.stop()
  }
  const refused = refusedIn(counts) === 0 ? [] : await refusedOf(client, batch)
  if (terminal.json) terminal.printJson({ batch_id: batch, counts, refused })
  else {
    for (const receipt of refused) terminal.print(receiptLine(receipt))
    terminal.print(`${count(counts.applied, 'receipt')} applied, ${refusedIn(counts)} not.`)
  }
  return refusedIn(counts) > 0 ? exitCodes.failed : exitCodes.ok
}

async function refusedOf(client: Client, batch: string): Promise<ReceiptResponse[]> {
  const lists = await Promise.all(
    refusedStates.map((state) => receiptsOf(client, { batch_id: batch, state }, mostListed)),
  )
  return lists.flat()
}

function noBatch(batch: string): Failure {
  return new Failure('failed', 'not_found', `This key has no receipts of the batch ${batch}.`, {
    remedy: 'Receipts belong to the user of the key that wrote them: use that key.',
  })
}

/** Tells of each as it ends, those too that are accepted meanwhile. */
async function watchOwn(session: Session): Promise<ExitCode> {
  const { terminal, signal } = session
  await openReceipts(session.client())
  const client = session.client(longPatience, (reason, delay) =>
    terminal.note(`${reason} Trying again in ${delay} ms.`),
  )
  const ended: ReceiptResponse[] = []
  let watched = new Map<string, ReceiptResponse>()
  for (let first = true; ; first = false) {
    const open = await openReceipts(client)
    if (first && open.size > 0) terminal.note(openNow(open.size))
    const gone = [...watched.keys()].filter((id) => !open.has(id))
    await inFlight(gone, atOnce, async (id) => {
      const receipt = await receiptWithId(client, id)
      // between the two lists of states: it is open after all
      if (isOpen(receipt)) {
        open.set(id, receipt)
        return
      }
      ended.push(receipt)
      if (!terminal.json) terminal.print(receiptLine(receipt))
    })
    watched = open
    if (open.size === 0) break
    await pause(lookEvery, signal)
  }
  const refused = ended.filter(isRefused)
  if (terminal.json) terminal.printJson({ ended })
  else
    terminal.note(
      ended.length === 0
        ? 'No receipt is open.'
        : `${count(ended.length, 'receipt')} ended, ${refused.length} of them not applied.`,
    )
  return refused.length > 0 ? exitCodes.failed : exitCodes.ok
}

function openNow(number: number): string {
  return number < mostListed
    ? `${count(number, 'receipt is', 'receipts are')} open.`
    : 'A thousand receipts or more are open.'
}

async function openReceipts(client: Client): Promise<Map<string, ReceiptResponse>> {
  const lists = await Promise.all(openStates.map((state) => receiptsOf(client, { state }, mostListed)))
  return new Map(lists.flat().map((receipt) => [receipt.receipt_id, receipt]))
}
