/** What failures of Elasticsearch mean: try again, the engine is away, or what was asked was wrong. */
import { errors } from '@elastic/elasticsearch'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

/** Of an answer, or of one item of an answer. */
export interface Refusal {
  status: number
  type: string
  reason: string
}

/** May be well in a moment: too many requests, or a failure of the server's own. */
export function isPassing({ status }: Pick<Refusal, 'status'>): boolean {
  return status === 429 || status >= 500
}

/** The document itself is what is not taken; other refusals are of who asks, or of the state that an index is in. */
export function isOfDocument({ status }: Pick<Refusal, 'status'>): boolean {
  return status === 400 || status === 413 || status === 422
}

/** undefined: there was no answer, or none of Elasticsearch's. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof errors.ResponseError) || error.statusCode === undefined) return undefined
  return refusalOf(error.statusCode, (error.body as { error?: unknown } | undefined)?.error)
}

/** `error`: what Elasticsearch says beside a status. */
export function refusalOf(status: number, error: unknown): Refusal {
  const { type, reason } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Refusal>
  const said = typeof error === 'string' ? error : (reason ?? '')
  return { status, type: type ?? 'unknown', reason: cut(said) }
}

/** A connection that was refused or broke off: every request of ours may be sent twice. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof errors.ConnectionError
}

/** What to throw for it: EngineUnavailable, or an error where what was asked was wrong. */
export function failureOf(error: unknown): unknown {
  if (error instanceof EngineUnavailable) return error
  const refusal = refusalIn(error)
  if (refusal !== undefined) return failureOfRefusal(refusal)
  if (error instanceof errors.ProductNotSupportedError) {
    return unavailable('what answers at ELASTICSEARCH_URL does not say that it is Elasticsearch', 'failing')
  }
  if (error instanceof errors.DeserializationError) return unavailable('the answer is not JSON', 'failing')
  if (error instanceof errors.ElasticsearchClientError) return unavailable(`away: ${cut(error.message)}`)
  return error
}

export function failureOfRefusal(refusal: Refusal): Error {
  const { status, type, reason } = refusal
  const said = [type, reason].filter((part) => part !== '' && part !== 'unknown').join(': ')
  if (isPassing(refusal)) {
    return unavailable(`answers ${status}${said === '' ? '' : `, ${said}`}`, status === 429 ? 'busy' : 'failing')
  }
  if (status === 401) return unavailable('the user, password or key of ELASTICSEARCH_URL is refused', 'refused')
  // a full disk makes indexes read-only: that is a 403 too
  if (type === 'cluster_block_exception') return unavailable(reason, 'read_only')
  if (status === 403) return unavailable(`the user or key lacks a right: ${reason}`, 'forbidden')
  if (status === 404) return new MissingIndex(reason)
  // not the error of the client: that holds the whole request
  return new Error(`elasticsearch: answers ${status}, ${said}`)
}

/** It was lost, and will be rebuilt. */
export class MissingIndex extends EngineUnavailable {
  constructor(reason: string) {
    super('elasticsearch', reason === '' ? 'the index is missing' : reason, undefined, 'index_lost')
  }
}

export function unavailable(reason: string, trouble?: Trouble): EngineUnavailable {
  return new EngineUnavailable('elasticsearch', reason, undefined, trouble)
}

const longestReason = 500

function cut(text: string): string {
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text
}
