/** Calls the API with the key of the reader, and follows the receipts of writes. */
import type { Readiness } from '../../http/base/api.ts'
import type { ProblemResponse } from '../../http/base/problem.ts'
import type { Issue } from '../../problem.ts'
import type { ReceiptResponse } from '../../receipts/present.ts'

/** Why the service refused a call or did not carry out a write, or that it can't be reached. */
export class Refusal extends Error {
  /** A code of /docs/problems; `unreachable` if no answer came. */
  readonly code: string
  /** HTTP status; 0 if no answer came, 200 if a receipt says that the write failed. */
  readonly status: number

  constructor(message: string, code: string, status: number) {
    super(message)
    this.code = code
    this.status = status
  }
}

export interface Http {
  /** Throws a Refusal. */
  read<Answer>(method: 'GET' | 'POST', path: string, input: Input, signal: AbortSignal): Promise<Answer>
  /**
   * Resolves once the write is applied, or after a minute while it is still open. `key`: the same write under the same key
   * is done only once, so a reader may send it again. `revision`: only if the record still has it. Throws a Refusal.
   */
  write(method: 'POST' | 'PATCH', path: string, input: Input, key: string, revision?: number): Promise<ReceiptResponse>
  /** A call that no receipt follows. Sent again, it is done again. Throws a Refusal. */
  call<Answer>(method: 'POST', path: string, input: Input): Promise<Answer>
  /** Throws a Refusal. */
  remove(path: string): Promise<void>
  /** A text that is not JSON. Throws a Refusal. */
  readText(path: string, signal: AbortSignal): Promise<string>
  /** Also if the service answers 503 with it. Throws a Refusal. */
  readiness(signal: AbortSignal): Promise<Readiness>
}

/** Of a GET the query string: arrays become repeated parameters. Of a POST the body. undefined fields are left out. */
export type Input = Readonly<Record<string, unknown>>

const writeWait = 10
const mostWaits = 6

/** `root`: the path of the service, with a slash at the end. `onUnknownKey`: the service no longer knows the key. */
export function createHttp(root: string, key: string, onUnknownKey: () => void): Http {
  const ask = (path: string, init: Asking): Promise<Response> => {
    const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json', ...init.headers }
    return fetch(root + path, { ...init, headers, cache: 'no-cache' }).catch((error: unknown) => {
      if (init.signal?.aborted) throw error
      throw new Refusal('The service can’t be reached. Check the connection, then try again.', 'unreachable', 0)
    })
  }
  const send = async (path: string, init: Asking): Promise<Response> => {
    const response = await ask(path, init)
    if (response.ok) return response
    if (response.status === 401) onUnknownKey()
    throw await refusalOf(response)
  }

  return {
    async read(method, path, input, signal) {
      if (method === 'POST') return (await send(path, { ...posted(input), signal })).json()
      return (await send(`${path}${queryOf(input)}`, { signal })).json()
    },

    async write(method, path, input, idempotencyKey, revision) {
      const { body, headers } = posted(input)
      const more = {
        'Idempotency-Key': idempotencyKey,
        Prefer: `wait=${writeWait}`,
        ...(revision !== undefined && { 'If-Match': `"${revision}"` }),
      }
      let receipt: ReceiptResponse = await (await send(path, { method, body, headers: { ...headers, ...more } })).json()
      for (let waits = 1; isOpen(receipt) && waits < mostWaits; waits++) {
        receipt = await (await send(`v1/receipts/${receipt.receipt_id}?wait=${writeWait}`, {})).json()
      }
      if (receipt.error) throw new Refusal(receipt.error.message, receipt.error.code, 200)
      return receipt
    },

    call: async (method, path, input) => (await send(path, { ...posted(input), method })).json(),

    async remove(path) {
      await send(path, { method: 'DELETE' })
    },

    readText: async (path, signal) => (await send(path, { signal })).text(),

    async readiness(signal) {
      const response = await ask('readyz', { signal })
      if (!response.ok && response.status !== 503) throw await refusalOf(response)
      const readiness: Partial<Readiness> = await response.json().catch(() => ({}))
      // a proxy answers 503 too
      if (readiness.engines === undefined) throw await refusalOf(response)
      return readiness as Readiness
    },
  }
}

type Asking = RequestInit & { headers?: Record<string, string> }

/** The write is accepted, and it is not known yet whether it can be applied. */
export function isOpen({ state }: ReceiptResponse): boolean {
  return state === 'accepted' || state === 'processing'
}

/** A key for one write. crypto.randomUUID is missing on pages without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `console-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function posted(input: Input) {
  return { method: 'POST', body: JSON.stringify(input), headers: { 'Content-Type': 'application/json' } }
}

function queryOf(input: Input): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one))
  }
  return query.size === 0 ? '' : `?${query}`
}

async function refusalOf(response: Response): Promise<Refusal> {
  const { detail, title, code, details }: Partial<ProblemResponse> = await response.json().catch(() => ({}))
  // detail names the first one
  const others = ((details?.issues ?? []) as Issue[]).slice(1).map(({ path, message }) => `${path}: ${message}`)
  if (code === 'insufficient_scope' && typeof details?.required_scope === 'string') {
    const message = `Your key lacks the scope ${details.required_scope}. Sign in with a key that has it.`
    return new Refusal(message, code, response.status)
  }
  const message = [detail ?? title ?? `The service answered ${response.status}.`, ...others].join('; ')
  return new Refusal(message, code ?? 'unknown', response.status)
}
