/**
 * Embeddings by any endpoint with the API of OpenAI: Ollama, vLLM, llama.cpp and hosted services
 * (src/ports/embedder.ts).
 */
import { createHash } from 'node:crypto'
import { retryAfterOf } from '../../ports/back-off.ts'
import { type Embedder, EmbedderUnavailable, type TextKind, TextRefused } from '../../ports/embedder.ts'
import { vectorsOf } from './answer.ts'

export interface OpenaiSettings {
  /** The base URL, mostly ending in /v1. `/embeddings` is appended to it. */
  url: string
  model: string
  apiKey: string | undefined
  /**
   * The number of dimensions to request. A response with another number is refused. Undefined: the default of the
   * model.
   */
  dimensions: number | undefined
  /** Put before each text of a kind, as some models require. */
  prefixes: Readonly<Record<TextKind, string>>
}

/**
 * Bytes of a response for each text. 4,096 dimensions take about 100 kB, and 170 kB if each number has its own line.
 */
const longestOfEach = 256 * 1024
/** Statuses of a refused text. */
const refusing = [400, 413, 422]
/** Statuses of too many requests. */
const busy = [429, 503]
/** ms before the next request, if the endpoint is busy. */
const pauses = { least: 1_000, most: 10 * 60_000 }

export function openaiEmbedder(settings: OpenaiSettings): Embedder {
  const { url, model, apiKey, dimensions, prefixes } = settings

  async function ask(input: readonly string[], signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(`${url}/embeddings`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({
          model,
          input,
          encoding_format: 'float',
          ...(dimensions === undefined ? {} : { dimensions }),
        }),
        // texts and key go to the configured endpoint and nowhere else
        redirect: 'manual',
        signal,
      })
    } catch (error) {
      throw unavailable(error, signal)
    }
  }

  return {
    model: nameOf(settings),

    async embed(kind, texts, signal) {
      const answer = await ask(
        texts.map((text) => prefixes[kind] + text),
        signal,
      )
      if (!answer.ok) throw await refusalOf(answer)
      const body = await bodyOf(answer, texts.length * longestOfEach, signal)
      return vectorsOf(body, texts.length, dimensions)
    },
  }
}

/** The name covers everything that changes the vectors of records: the model and the prefix. */
function nameOf({ model, prefixes }: OpenaiSettings): string {
  if (prefixes.record === '') return model
  return `${model}+${createHash('sha256').update(prefixes.record).digest('hex').slice(0, 12)}`
}

/** Never includes the body of the response: some endpoints repeat the texts and the key in it. */
async function refusalOf(answer: Response): Promise<Error> {
  // otherwise the connection would stay reserved for the unread body
  await answer.body?.cancel().catch(() => {})
  if (refusing.includes(answer.status)) return new TextRefused(`the endpoint answers ${answer.status}`)
  if (answer.status === 401 || answer.status === 403) {
    return new EmbedderUnavailable(`the endpoint answers ${answer.status}: it refuses the key`)
  }
  if (answer.status === 404) {
    return new EmbedderUnavailable(
      'the endpoint answers 404: it does not have this model, or the URL is wrong (leave out /embeddings; it mostly ends in /v1)',
    )
  }
  if (answer.status >= 300 && answer.status < 400) {
    return new EmbedderUnavailable(
      `the endpoint answers ${answer.status}: it redirects; set the URL that it redirects to`,
    )
  }
  if (busy.includes(answer.status)) {
    const askAgainIn = retryAfterOf(answer.headers.get('retry-after'), pauses) ?? pauses.least
    return new EmbedderUnavailable(`the endpoint answers ${answer.status}: too many requests`, { askAgainIn })
  }
  return new EmbedderUnavailable(`the endpoint answers ${answer.status}`)
}

async function bodyOf(answer: Response, longest: number, signal: AbortSignal): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length
      if (bytes > longest) throw new EmbedderUnavailable(`the response of the endpoint is longer than ${longest} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof EmbedderUnavailable ? error : unavailable(error, signal)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new EmbedderUnavailable('the response of the endpoint is not JSON')
  }
}

function unavailable(error: unknown, signal: AbortSignal): EmbedderUnavailable {
  if (signal.aborted) return new EmbedderUnavailable('the endpoint did not answer in time')
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  return new EmbedderUnavailable(`the endpoint is unreachable${code === undefined ? '' : ` (${code})`}`, {
    cause: error,
  })
}
