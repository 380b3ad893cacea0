/**
 * Masks what executors print in a worker thread, so that a session never blocks leases or requests. The thread starts
 * with the first text: a worker without sessions needs no memory for it.
 */
import { idleThread } from '../../ports/idle-thread.ts'
import { masked, maskedJson } from '../../secrets/mask.ts'
import type { MaskRequest } from './mask-thread.ts'

export interface Masker {
  /** The text from `from` on (secrets/mask.ts). */
  text(text: string, from: number): Promise<string>
  /** A JSON value with every text in it masked. */
  json<T>(value: T): Promise<T>
  close(): Promise<void>
}

/** The built file of the thread. Undefined when this file runs unbuilt, because Node 20 runs no TypeScript in a thread. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./mask-thread.js', import.meta.url) : undefined
/** MB. Its data lives briefly. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 }
/** ms without a text until the thread ends, to free its memory. */
const idleFor = 60_000

export function openMasker(): Masker {
  return builtThread ? threadedMasker(builtThread) : inlineMasker
}

/** Masks in the calling thread. */
export const inlineMasker: Masker = {
  text: masked,
  json: async (value) => (await maskedJson(value)) as never,
  close: async () => {},
}

/** `module`: URL of the built mask-thread. A text rejects if the thread ended before it was masked. */
export function threadedMasker(module: URL, idleMs = idleFor): Masker {
  const ended = 'the thread that masks has ended'
  const thread = idleThread<MaskRequest>(module, { ended, resourceLimits, idleMs })
  return {
    text: (value, from) => thread.ask({ value, from }) as Promise<string>,
    json: (value) => thread.ask({ value, from: undefined }) as Promise<never>,
    close: () => thread.close(),
  }
}
