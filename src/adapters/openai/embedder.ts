/**
 * Embeddings by any endpoint with the API of OpenAI: Ollama, vLLM, llama.cpp and hosted services
 * (src/ports/embedder.ts).
 */
import { createHash } from 'node:crypto'
import { type Embedder, EmbedderUnavailable, type TextKind, TextRefused } from '../../ports/embedder.ts'
import { vectorsOf } from './answer.ts'
import { discard, endpointAt, refusing } from './endpoint.ts'

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

export function openaiEmbedder(settings: OpenaiSettings): Embedder {
  const { url, model, apiKey, dimensions, prefixes } = settings

  const endpoint = endpointAt({ url, path: '/embeddings', apiKey }, EmbedderUnavailable)

  return {
    model: nameOf(settings),

    async embed(kind, texts, signal) {
      const input = texts.map((text) => prefixes[kind] + text)
      const sized = dimensions === undefined ? {} : { dimensions }
      const answer = await endpoint.post({ model, input, encoding_format: 'float', ...sized }, signal)
      if (refusing.includes(answer.status)) {
        await discard(answer)
        throw new TextRefused(`the endpoint answers ${answer.status}`)
      }
      if (!answer.ok) throw await endpoint.refusalOf(answer)
      const body = jsonIn(await endpoint.textOf(answer, texts.length * longestOfEach, signal))
      return vectorsOf(body, texts.length, dimensions)
    },
  }
}

/** The name covers everything that changes the vectors of records: the model and the prefix. */
function nameOf({ model, prefixes }: OpenaiSettings): string {
  if (prefixes.record === '') return model
  return `${model}+${createHash('sha256').update(prefixes.record).digest('hex').slice(0, 12)}`
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new EmbedderUnavailable('the response of the endpoint is not JSON')
  }
}
