/** Checks the embedder: it returns vectors, fast enough for a search, over an encrypted connection. */
import type { EmbedderSettings } from '../../config/engines.ts'
import { openaiEmbedder } from '../adapters/openai/embedder.ts'
import { measureSpace } from '../text/space.ts'
import { type Finding, note, ok, unavailableFinding } from './finding.ts'

const what = 'PRECEDENT_EMBEDDER_URL'
/** ms. */
const answersWithin = 60_000
/** ms that a search waits for the vector of its query (text/query-embedder.ts). */
const fastEnough = 300
const local = ['127.0.0.1', '[::1]', 'localhost']

export async function* examineEmbedder(settings: EmbedderSettings): AsyncGenerator<Finding> {
  const { protocol, hostname } = new URL(settings.url)
  if (protocol === 'http:' && !local.includes(hostname)) {
    yield note(
      what,
      `records are sent to ${hostname} without encryption`,
      'Use https://, or run the embedder inside your own network.',
    )
  }
  const embedder = openaiEmbedder(settings)
  try {
    const within = AbortSignal.timeout(answersWithin)
    const { dimensions } = await measureSpace(embedder.model, (texts) => embedder.embed('record', texts, within))
    yield ok(what, `the model ${settings.model} returns vectors of ${dimensions} dimensions`)
    const since = Date.now()
    await embedder.embed('query', ['How fast is a query embedded?'], within)
    const took = Date.now() - since
    if (took <= fastEnough) yield ok(what, `embedding a query takes ${took} ms`)
    else {
      const remedy = 'Keep the model loaded, use a smaller model, or run it closer to the service.'
      yield note(
        what,
        `embedding a query takes ${took} ms, but a search waits only ${fastEnough} ms and then matches words only`,
        remedy,
      )
    }
  } catch (error) {
    yield unavailableFinding(
      what,
      error,
      'Start it, or correct the URL, the model and the key. Until then, search matches words only.',
    )
  }
}
