/** One write of a person: sent under a key, followed until it has ended, told as what came of it. */
import type { Command } from 'commander'
import { v4 } from 'uuid'
import { type Client, longPatience } from './client.ts'
import { type ExitCode, exitCodes, Failure, usage } from './failure.ts'
import { wholeNumber } from './options.ts'
import { isOpen, isRefused, type ReceiptResponse, receiptWithId } from './receipts.ts'
import type { Session } from './session.ts'

export interface WriteOptions {
  key?: string
  /** Seconds; false: not at all. */
  wait?: number | boolean
}

export interface Write {
  path: string
  body: Record<string, unknown>
}

/** Says what an applied write has made. It may ask the service. */
export type Tell = (receipt: ReceiptResponse, client: Client) => Promise<void> | void

const defaultWait = 30
const longestWait = 3600
/** Seconds that the first answer is held back for: whoever waits longer is told the id of the receipt. */
const firstWait = 5
/** Seconds that the service holds back the answer to one look at a receipt. */
const longestLook = 30

export function addWriteOptions(command: Command): Command {
  return command
    .option('--key <key>', 'idempotency key: what is sent again under it is not done again', keyOf)
    .option(
      '--wait <seconds>',
      `how long to wait until it is applied (default: ${defaultWait})`,
      wholeNumber(0, longestWait),
    )
    .option('--no-wait', 'end when it is accepted: it can’t be lost any more')
}

/** As a header takes it. */
export function keyOf(text: string): string {
  if (/^[\x21-\x7e][\x20-\x7e]{6,198}[\x21-\x7e]$/.test(text)) return text
  throw usage(`“${text}” is no idempotency key.`, 'It has 8 to 200 characters of ASCII.')
}

export async function write(session: Session, sent: Write, options: WriteOptions, tell: Tell): Promise<ExitCode> {
  const { terminal } = session
  const seconds = typeof options.wait === 'number' ? options.wait : options.wait === false ? 0 : defaultWait
  const receipt = await followed(session, sent, options.key, seconds)
  if (terminal.json) {
    terminal.printJson(receipt)
    return isRefused(receipt) || (isOpen(receipt) && seconds > 0) ? exitCodes.failed : exitCodes.ok
  }
  if (isRefused(receipt)) throw refusal(receipt)
  if (receipt.state === 'applied') await tell(receipt, session.client())
  else if (seconds > 0) throw stillOpen(receipt, seconds)
  else {
    terminal.note(`Accepted, and not lost whatever happens. ${howToFollow(receipt)} This is its receipt:`)
    terminal.print(receipt.receipt_id)
  }
  return exitCodes.ok
}

/** The receipt once it has ended, or as it is after `seconds`. */
async function followed(session: Session, sent: Write, given: string | undefined, seconds: number) {
  const began = Date.now()
  let receipt = await accepted(session, sent, given, Math.min(seconds, firstWait))
  if (!isOpen(receipt) || seconds <= firstWait) return receipt
  session.terminal.note('Accepted; waiting until it is applied.')
  const client = session.client(longPatience, (reason) => session.terminal.note(reason))
  try {
    for (let left = seconds; isOpen(receipt) && left > 0; left = seconds - Math.ceil((Date.now() - began) / 1000)) {
      receipt = await receiptWithId(client, receipt.receipt_id, Math.min(left, longestLook))
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const remedy = `It was accepted and is not lost. ${howToFollow(receipt)}`
    throw error.with({ remedy, details: { receipt_id: receipt.receipt_id } })
  }
  return receipt
}

async function accepted(session: Session, { path, body }: Write, given: string | undefined, wait: number) {
  const idempotencyKey = given ?? `cli-${v4()}`
  try {
    const call = { method: 'POST', path, body, idempotencyKey, wait } as const
    return await session.client().call<ReceiptResponse>(call)
  } catch (error) {
    // whether it was kept is known of every other answer
    const isUnknown = error instanceof Failure && ['unreachable', 'interrupted'].includes(error.code)
    if (!isUnknown || error.details.may_have_arrived === false) throw error
    throw error.with({
      remedy: `It may have been kept all the same. Run the same again with --key ${idempotencyKey}: then it is not done twice.`,
      details: { idempotency_key: idempotencyKey },
    })
  }
}

function refusal({ receipt_id, error, state }: ReceiptResponse): Failure {
  const head = error?.details?.head as { type?: string; id?: string } | undefined
  const remedy = head?.id === undefined ? undefined : `The newest is ${head.type} ${head.id}.`
  const again = error?.retryable ? 'Run the same again: it may succeed.' : undefined
  return new Failure('failed', error?.code ?? state, `Not recorded: ${error?.message ?? state}`, {
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
  `What becomes of it tells \`precedent receipts get ${receipt_id}\`.`
