/** Sends one write with an idempotency key, waits until it is applied or refused, and prints the outcome. */
import type { Command } from 'commander'
import { v4 } from 'uuid'
import { type ExitCode, exitCodes, Failure, usage } from '../terminal/failure.ts'
import { retryNote } from '../terminal/progress.ts'
import { type Client, longRetries } from './client.ts'
import { wholeNumber } from './options.ts'
import { isOpen, isRefused, type ReceiptResponse, receiptWithId } from './receipts.ts'
import { namingOption } from './refusals.ts'
import type { Session } from './session.ts'

export interface WriteOptions {
  key?: string
  /** Seconds to wait; false: do not wait. */
  wait?: number | boolean
}

export interface Write {
  /** Left out: POST. */
  method?: 'POST' | 'PATCH'
  path: string
  /** The write fails if the record has another revision. */
  ifRevision?: number
  body: Record<string, unknown>
}

/** Prints what an applied write has made. It may call the service. */
export type PrintOutcome = (receipt: ReceiptResponse, client: Client) => Promise<void> | void

const defaultWait = 30
const longestWait = 3600
/** Seconds that the service may delay its first answer. After them, the command says that it is waiting. */
const firstWait = 5
/** Seconds that the service may delay the answer to one read of a receipt. */
const longestReceiptWait = 30

export function addWriteOptions(command: Command): Command {
  return command
    .option('--key <key>', 'idempotency key: a write that is sent again with the same key is done only once', keyOf)
    .option(
      '--wait <seconds>',
      `seconds to wait until it is applied (default: ${defaultWait})`,
      wholeNumber(0, longestWait),
    )
    .option('--no-wait', 'do not wait until it is applied: end once it is accepted (it is not lost then)')
}

/** Checks a key: it is sent as a header. */
export function keyOf(text: string): string {
  if (/^[\x21-\x7e][\x20-\x7e]{6,198}[\x21-\x7e]$/.test(text)) return text
  throw usage(`“${text}” is not an idempotency key.`, 'Use 8 to 200 printable ASCII characters.')
}

export async function write(
  session: Session,
  sent: Write,
  options: WriteOptions,
  printOutcome: PrintOutcome,
): Promise<ExitCode> {
  const { terminal } = session
  const seconds = typeof options.wait === 'number' ? options.wait : options.wait === false ? 0 : defaultWait
  const receipt = await followed(session, sent, options.key, seconds)
  if (terminal.json) {
    terminal.printJson(receipt)
    return isRefused(receipt) || (isOpen(receipt) && seconds > 0) ? exitCodes.failed : exitCodes.ok
  }
  if (isRefused(receipt)) throw refusal(receipt)
  if (receipt.state === 'applied') await printOutcome(receipt, session.client())
  else if (seconds > 0) throw stillOpen(receipt, seconds)
  else {
    terminal.note(`Accepted; it is not lost. ${howToFollow(receipt)} The id of its receipt:`)
    terminal.print(receipt.receipt_id)
  }
  return exitCodes.ok
}

/** The receipt once it has ended, or its state after `seconds`. */
async function followed(session: Session, sent: Write, given: string | undefined, seconds: number) {
  const began = Date.now()
  let receipt = await accepted(session, sent, given, Math.min(seconds, firstWait))
  if (!isOpen(receipt) || seconds <= firstWait) return receipt
  session.terminal.note('Accepted; waiting until it is applied.')
  const client = session.client(longRetries, (reason, delay) => session.terminal.note(retryNote(reason, delay)))
  try {
    for (let left = seconds; isOpen(receipt) && left > 0; left = seconds - Math.ceil((Date.now() - began) / 1000)) {
      receipt = await receiptWithId(client, receipt.receipt_id, Math.min(left, longestReceiptWait))
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const remedy = `It was accepted and is not lost. ${howToFollow(receipt)}`
    throw error.with({ remedy, details: { receipt_id: receipt.receipt_id } })
  }
  return receipt
}

async function accepted(session: Session, sent: Write, given: string | undefined, wait: number) {
  const idempotencyKey = given ?? `cli-${v4()}`
  try {
    const call = { method: 'POST', ...sent, idempotencyKey, wait } as const
    return await session.client().call<ReceiptResponse>(call)
  } catch (error) {
    // every other answer says whether the write was accepted
    const isUnknown = error instanceof Failure && ['unreachable', 'interrupted'].includes(error.code)
    if (!isUnknown || error.details.may_have_arrived === false) throw error
    throw error.with({
      remedy: `The write may have been accepted. Run the same command again with --key ${idempotencyKey}: it is then done only once.`,
      details: { idempotency_key: idempotencyKey },
    })
  }
}

function refusal({ receipt_id, error, state }: ReceiptResponse): Failure {
  const head = error?.details?.head as { type?: string; id?: string } | undefined
  const remedy = head?.id === undefined ? undefined : `Its newest successor is ${head.type} ${head.id}.`
  const again = error?.retryable ? 'Run the same command again: it may succeed.' : undefined
  return new Failure('failed', error?.code ?? state, `Not recorded: ${namingOption(error?.message ?? state)}`, {
    remedy: remedy ?? again,
    details: { receipt_id },
  })
}

function stillOpen(receipt: ReceiptResponse, seconds: number): Failure {
  return new Failure('failed', 'still_open', `Accepted, but not applied within ${seconds} s.`, {
    remedy: `It is not lost: do not send it again. ${howToFollow(receipt)}`,
    details: { receipt_id: receipt.receipt_id },
  })
}

const howToFollow = ({ receipt_id }: ReceiptResponse) =>
  `See its outcome with \`precedent receipts get ${receipt_id}\`.`
