/** The HTTP half of every adapter for an endpoint with the API of OpenAI. */
import { retryAfterOf } from '../../ports/back-off.ts'
import type { ModelUnavailable } from '../../ports/unavailable.ts'

export interface EndpointSettings {
  /** The base URL, mostly ending in /v1. */
  url: string
  /** Appended to the URL: `/embeddings`. */
  path: string
  apiKey: string | undefined
}

/** How the port of the adapter says that the endpoint can't be used now. */
type Unavailable = new (...given: ConstructorParameters<typeof ModelUnavailable>) => ModelUnavailable

export interface Endpoint {
  /** Posts JSON, and follows no redirect: texts and key go to the configured endpoint and nowhere else. */
  post(body: object, signal: AbortSignal): Promise<Response>
  /** The error for a status that is not ok. Discards the body: some endpoints repeat the texts and the key in it. */
  refusalOf(answer: Response): Promise<Error>
  /** The body of a response. Throws if it is longer than `longest` bytes. */
  textOf(answer: Response, longest: number, signal: AbortSignal): Promise<string>
}

/** Statuses of a text, or a field of the request, that the endpoint never accepts. */
export const refusing: readonly number[] = [400, 413, 422]
/** Statuses of too many requests. */
const busy = [429, 503]
/** ms before the next request, if the endpoint is busy. */
const pauses = { least: 1_000, most: 10 * 60_000 }

export function endpointAt({ url, path, apiKey }: EndpointSettings, Unavailable: Unavailable): Endpoint {
  const unreachable = (error: unknown, signal: AbortSignal) => {
    if (signal.aborted) return new Unavailable('the endpoint did not answer in time')
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return new Unavailable(`the endpoint is unreachable${code === undefined ? '' : ` (${code})`}`, { cause: error })
  }

  return {
    async post(body, signal) {
      try {
        return await fetch(`${url}${path}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          },
          body: JSON.stringify(body),
          redirect: 'manual',
          signal,
        })
      } catch (error) {
        throw unreachable(error, signal)
      }
    },

    async refusalOf(answer) {
      await discard(answer)
      const { status } = answer
      const said = `the endpoint answers ${status}`
      if (status === 401 || status === 403) return new Unavailable(`${said}: it refuses the key`)
      if (status === 404) {
        return new Unavailable(
          `${said}: it does not have this model, or the URL is wrong (leave out ${path}; it mostly ends in /v1)`,
        )
      }
      if (status >= 300 && status < 400) {
        return new Unavailable(`${said}: it redirects; set the URL that it redirects to`)
      }
      if (busy.includes(status)) {
        const askAgainIn = retryAfterOf(answer.headers.get('retry-after'), pauses) ?? pauses.least
        return new Unavailable(`${said}: too many requests`, { askAgainIn })
      }
      return new Unavailable(said)
    },

    async textOf(answer, longest, signal) {
      const chunks: Uint8Array[] = []
      let bytes = 0
      try {
        for await (const chunk of answer.body ?? []) {
          bytes += chunk.length
          if (bytes > longest) throw new Unavailable(`the response of the endpoint is longer than ${longest} bytes`)
          chunks.push(chunk)
        }
      } catch (error) {
        throw error instanceof Unavailable ? error : unreachable(error, signal)
      }
      return Buffer.concat(chunks).toString()
    },
  }
}

/** Otherwise the connection would stay reserved for the unread body. */
export async function discard(answer: Response): Promise<void> {
  await answer.body?.cancel().catch(() => {})
}
