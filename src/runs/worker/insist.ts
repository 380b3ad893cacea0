/** Waits for the journal and for engines that do not answer, while the session is believed. */
import type { JournalPorts } from '../../journal/ports.ts'
import { backOff } from '../../ports/back-off.ts'
import { EngineUnavailable } from '../../ports/unavailable.ts'
import { type ReceiptSeen, receipts } from '../../receipt.ts'
import type { Keeper } from './keeper.ts'

/** ms. A step is decided within some ms if the journal's worker is in this process. */
const polls = { first: 10, longest: 500 }

/**
 * Whether the journal has let the step happen. It never waits for `applied`, because search may be unavailable.
 * undefined: the session is over before the step was decided.
 */
export async function isAllowed(
  ports: Pick<JournalPorts, 'documents' | 'clock'>,
  keeper: Pick<Keeper, 'over'>,
  receipt: ReceiptSeen,
): Promise<boolean | undefined> {
  const { documents, clock } = ports
  for (let tries = 1; ; tries++) {
    const seen = await insist(ports, keeper, () => documents.get(receipts, receipt.id, ['undecided', 'state']))
    if (seen?.undecided === 0) return seen.state !== 'failed'
    // an `ended` run may be what this step has brought about
    if (keeper.over() === 'lost' || keeper.over() === 'given up') return undefined
    await clock.sleep(backOff(Math.min(tries, 10), polls, clock.random))
  }
}

/** ms. */
const retries = { first: 200, longest: 5_000 }

/** Repeats the work until the engine answers. undefined: the lease is lost, so nobody believes this session any more. */
export async function insist<T>(
  { clock }: Pick<JournalPorts, 'clock'>,
  keeper: Pick<Keeper, 'over'>,
  work: () => Promise<T>,
): Promise<T | undefined> {
  for (let failures = 1; keeper.over() !== 'lost'; failures++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error
      await clock.sleep(backOff(Math.min(failures, 10), retries, clock.random))
    }
  }
  return undefined
}
