/** Classifies errors of Elasticsearch: temporary, engine unavailable, or a wrong request. */
import { errors } from '@elastic/elasticsearch'
import { EngineUnavailable, type Trouble } from '../../ports/unavailable.ts'

/** An error response, or the error of one item in a response. */
export interface Refusal {
  status: number
  type: string
  reason: string
}

/** A retry may succeed: too many requests, or an error of the server. */
export function isTemporary({ status }: Pick<Refusal, 'status'>): boolean {
  return status === 429 || status >= 500
}

/** The document itself is refused. Other refusals are about the credentials or the state of the index. */
export function isAboutDocument({ status }: Pick<Refusal, 'status'>): boolean {
  return status === 400 || status === 413 || status === 422
}

/** Undefined if there was no response, or if it is not from Elasticsearch. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof errors.ResponseError) || error.statusCode === undefined) return undefined
  return refusalOf(error.statusCode, (error.body as { error?: unknown } | undefined)?.error)
}

/** `error`: the field `error` of the response. */
export function refusalOf(status: number, error: unknown): Refusal {
  const { type, reason } = (typeof error === 'object' && error !== null ? error : {}) as Partial<Refusal>
  const text = typeof error === 'string' ? error : (reason ?? '')
  return { status, type: type ?? 'unknown', reason: cut(text) }
}

/** The connection was refused or lost. A retry is safe, because all our requests may be sent twice. */
export function isConnectionError(error: unknown): boolean {
  return error instanceof errors.ConnectionError
}

/** The error to throw: EngineUnavailable, or another error if the request was wrong. */
export function failureOf(error: unknown): unknown {
  if (error instanceof EngineUnavailable) return error
  const refusal = refusalIn(error)
  if (refusal !== undefined) return failureOfRefusal(refusal)
  if (error instanceof errors.ProductNotSupportedError) {
    return unavailable('the server at ELASTICSEARCH_URL is not Elasticsearch', 'failing')
  }
  if (error instanceof errors.DeserializationError) return unavailable('the answer is not JSON', 'failing')
  if (error instanceof errors.ElasticsearchClientError) return unavailable(`unreachable: ${cut(error.message)}`)
  return error
}

export function failureOfRefusal(refusal: Refusal): Error {
  const { status, type, reason } = refusal
  const details = [type, reason].filter((part) => part !== '' && part !== 'unknown').join(': ')
  if (isTemporary(refusal)) {
    return unavailable(`answers ${status}${details === '' ? '' : `, ${details}`}`, status === 429 ? 'busy' : 'failing')
  }
  if (status === 401) return unavailable('the user, password or API key is wrong', 'refused')
  // a full disk makes indexes read-only, which is also a 403
  if (type === 'cluster_block_exception') return unavailable(reason, 'read_only')
  if (status === 403) return unavailable(`the user or API key lacks a privilege: ${reason}`, 'forbidden')
  if (status === 404) return new MissingIndex(reason)
  // a new error, because the error of the client contains the whole request
  return new Error(`elasticsearch: answers ${status}, ${details}`)
}

/** The index was lost and will be rebuilt. */
export class MissingIndex extends EngineUnavailable {
  constructor(reason: string) {
    super('elasticsearch', reason === '' ? 'the index is missing' : reason, undefined, 'index_lost')
  }
}

export function unavailable(reason: string, trouble?: Trouble): EngineUnavailable {
  return new EngineUnavailable('elasticsearch', reason, undefined, trouble)
}

/** Characters. */
const longestReason = 500

function cut(text: string): string {
  return text.length > longestReason ? `${text.slice(0, longestReason)}…` : text
}
