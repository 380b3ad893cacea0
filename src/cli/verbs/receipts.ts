/** `precedent receipts`: shows one receipt, or waits until all open receipts have ended. */
import type { Command } from 'commander'
import { uuidPattern } from '../../ids.ts'
import { type Client, longRetries, pause } from '../client/client.ts'
import { forEachConcurrent } from '../client/for-each-concurrent.ts'
import { ifFound } from '../client/if-allowed.ts'
import { noSuch } from '../client/no-such.ts'
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
} from '../client/receipts.ts'
import type { Act, Session } from '../client/session.ts'
import { type ExitCode, exitCodes, Failure, usage } from '../terminal/failure.ts'
import { progressOn, retryNote } from '../terminal/progress.ts'
import { count } from '../terminal/terminal.ts'

/** ms. */
const pollEvery = 500
/** Receipts of one state that are read. */
const mostListed = 1000
const atOnce = 8

export function addReceipts(program: Command, act: Act): void {
  const receipts = program.command('receipts').description('show the outcome of writes')
  receipts
    .command('watch')
    .description('wait until all open receipts of this key have ended')
    .option('--batch <id>', 'only the receipts of one import')
    .action(act((session: Session, options: { batch?: string }) => watch(session, options.batch)))
  receipts.command('get').argument('<id>', 'the id of the receipt').description('show one receipt').action(act(get))
}

async function get({ client, terminal }: Session, id: string): Promise<ExitCode> {
  const receipt = await ifFound(receiptWithId(client(), id))
  if (receipt === undefined) throw noSuch('receipt', id)
  if (terminal.json) terminal.printJson(receipt)
  else terminal.print(describe(receipt))
  return isRefused(receipt) ? exitCodes.failed : exitCodes.ok
}

function describe(receipt: ReceiptResponse): string {
  const { accepted_at, updated_at, retryable } = receipt
  const again = receipt.error
    ? `\n  ${retryable ? 'if you send it again with a new idempotency key, it may succeed' : 'if you send it again, it will fail again'}`
    : ''
  return `${receiptLine(receipt)}\n  accepted ${accepted_at}, last changed ${updated_at}${again}`
}

async function watch(session: Session, batch: string | undefined): Promise<ExitCode> {
  if (batch === undefined) return watchOwn(session)
  if (!uuidPattern.test(batch))
    throw usage(`“${batch}” is not the id of a batch.`, '`precedent import --no-wait` prints this id.')
  return watchBatch(session, batch)
}

async function watchBatch(session: Session, batch: string): Promise<ExitCode> {
  const { terminal, signal } = session
  await countsOf(session.client(), batch)
  const progress = progressOn(terminal, 'Receipts', 'applied')
  const client = session.client(longRetries, progress.onRetry)
  let counts: Counts
  try {
    counts = await countsOf(client, batch)
    if (total(counts) === 0) throw noBatch(batch)
    progress.start(total(counts))
    for (; openIn(counts) > 0; counts = await countsOf(client, batch)) {
      progress.update(total(counts) - openIn(counts))
      await pause(pollEvery, signal)
    }
    progress.update(total(counts))
  } finally {
    progress.stop()
  }
  const refused = refusedIn(counts) === 0 ? [] : await refusedOf(client, batch)
  if (terminal.json) terminal.printJson({ batch_id: batch, counts, refused })
  else {
    for (const receipt of refused) terminal.print(receiptLine(receipt))
    terminal.print(
      `${count(counts.applied, 'receipt')} applied, ${refusedIn(counts).toLocaleString('en')} not applied.`,
    )
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
    remedy: 'A key sees only the receipts of its own user: use a key of the user who imported.',
  })
}

/** Prints each receipt when it ends, including receipts that are accepted meanwhile. */
async function watchOwn(session: Session): Promise<ExitCode> {
  const { terminal, signal } = session
  await openReceipts(session.client())
  const client = session.client(longRetries, (reason, delay) => terminal.note(retryNote(reason, delay)))
  const ended: ReceiptResponse[] = []
  let watched = new Map<string, ReceiptResponse>()
  for (let first = true; ; first = false) {
    const open = await openReceipts(client)
    if (first && open.size > 0) terminal.note(openNow(open.size))
    const gone = [...watched.keys()].filter((id) => !open.has(id))
    await forEachConcurrent(gone, atOnce, async (id) => {
      const receipt = await receiptWithId(client, id)
      // it changed its state between the two reads, and is still open
      if (isOpen(receipt)) {
        open.set(id, receipt)
        return
      }
      ended.push(receipt)
      if (!terminal.json) terminal.print(receiptLine(receipt))
    })
    watched = open
    if (open.size === 0) break
    await pause(pollEvery, signal)
  }
  const refused = ended.filter(isRefused)
  if (terminal.json) terminal.printJson({ ended })
  else
    terminal.note(
      ended.length === 0
        ? 'There are no open receipts.'
        : `${count(ended.length, 'receipt')} ended; ${refused.length} of them were not applied.`,
    )
  return refused.length > 0 ? exitCodes.failed : exitCodes.ok
}

function openNow(number: number): string {
  return number < mostListed
    ? `Waiting for ${count(number, 'open receipt')}.`
    : `Waiting for ${mostListed.toLocaleString('en')} or more open receipts.`
}

async function openReceipts(client: Client): Promise<Map<string, ReceiptResponse>> {
  const lists = await Promise.all(openStates.map((state) => receiptsOf(client, { state }, mostListed)))
  return new Map(lists.flat().map((receipt) => [receipt.receipt_id, receipt]))
}
