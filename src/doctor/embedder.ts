/** Checks the embedder: it returns vectors, fast enough for a search, over an encrypted connection. */
import type { EmbedderSettings } from '../../config/engines.ts'
import { openaiEmbedder } from '../adapters/openai/embedder.ts'
import { measureSpace } from '../text/space.ts'
import { plainHttpNote } from './encryption.ts'
import { type Finding, note, ok, unavailableFinding } from './finding.ts'

const what = 'PRECEDENT_EMBEDDER_URL'
/** ms. */
const answersWithin = 60_000
/** ms that a search waits for the vector of its query (text/query-embedder.ts). */
const fastEnough = 300

export async function* examineEmbedder(settings: EmbedderSettings): AsyncGenerator<Finding> {
  const plain = plainHttpNote(what, settings.url, 'embedder')
  if (plain) yield plain
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
