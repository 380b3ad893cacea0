/** Embeddings of any endpoint that speaks as OpenAI's does: Ollama, vLLM, llama.cpp, hosted ones (src/ports/embedder.ts). */
import { createHash } from 'node:crypto'
import { type Embedder, EmbedderUnavailable, type TextKind, TextRefused } from '../../ports/embedder.ts'
import { vectorsOf } from './answer.ts'

export interface OpenaiSettings {
  /** Up to /v1: what `/embeddings` is appended to. */
  url: string
  model: string
  apiKey: string | undefined
  /** Asked for, and insisted on; undefined: as many as the model has. */
  dimensions: number | undefined
  /** What the model wants before a text of each kind. */
  prefixes: Readonly<Record<TextKind, string>>
}

/** Bytes of an answer, for each text: 4,096 dimensions as text are some 100 kB, some 170 kB where each has its line. */
const longestOfEach = 256 * 1024
const longestModel = 150
/** The statuses of a text that is refused for what it is, and of too many questions. */
const refusing = [400, 413, 422]
const busy = [429, 503]
/** ms, where it does not say when to ask again, and at most. */
const againAfter = 1_000
const againAtMost = 10 * 60_000

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

/** What changes the vectors is in it. */
function nameOf({ model, prefixes }: OpenaiSettings): string {
  const short = model.length <= longestModel ? model : `${model.slice(0, longestModel)}~${markOf(model)}`
  return prefixes.record === '' ? short : `${short}+${markOf(prefixes.record)}`
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Nothing of what the endpoint says is passed on: some say again what they were sent, and by which key. */
async function refusalOf(answer: Response): Promise<Error> {
  // else the connection is kept for it
  await answer.body?.cancel().catch(() => {})
  if (refusing.includes(answer.status)) return new TextRefused(`the endpoint answers ${answer.status}`)
  if (answer.status === 401 || answer.status === 403) {
    return new EmbedderUnavailable(`the endpoint answers ${answer.status}: it does not take the key`)
  }
  if (answer.status === 404) {
    return new EmbedderUnavailable(
      'the endpoint answers 404: it has not this model, or its URL is another (it ends before /embeddings, mostly in /v1)',
    )
  }
  if (answer.status >= 300 && answer.status < 400) {
    return new EmbedderUnavailable(`the endpoint answers ${answer.status}: set the URL that it redirects to`)
  }
  if (busy.includes(answer.status)) {
    const askAgainIn = againIn(answer.headers.get('retry-after'))
    return new EmbedderUnavailable(`the endpoint answers ${answer.status}: too much is asked of it`, { askAgainIn })
  }
  return new EmbedderUnavailable(`the endpoint answers ${answer.status}`)
}

/** Seconds or an instant, as HTTP has it. */
function againIn(retryAfter: string | null): number {
  const text = retryAfter?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? againAfter : Math.min(againAtMost, Math.max(againAfter, ms))
}

async function bodyOf(answer: Response, longest: number, signal: AbortSignal): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body ?? []) {
      bytes += chunk.length
      if (bytes > longest) throw new EmbedderUnavailable(`the endpoint answers more than ${longest} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof EmbedderUnavailable ? error : unavailable(error, signal)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new EmbedderUnavailable('the endpoint answers no JSON')
  }
}

function unavailable(error: unknown, signal: AbortSignal): EmbedderUnavailable {
  if (signal.aborted) return new EmbedderUnavailable('the endpoint does not answer in time')
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  return new EmbedderUnavailable(`the endpoint is away${code === undefined ? '' : ` (${code})`}`, { cause: error })
}
