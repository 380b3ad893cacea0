/** The embedder: that it answers with vectors, soon enough for a search, and who reads along. */
import type { EmbedderSettings } from '../../config/engines.ts'
import { openaiEmbedder } from '../adapters/openai/embedder.ts'
import { measureSpace } from '../text/space.ts'
import { awayFinding, type Finding, note, ok } from './finding.ts'

const what = 'PRECEDENT_EMBEDDER_URL'
const answersWithin = 60_000
/** ms. A search waits no longer (text/query-embedder.ts). */
const soon = 300
const local = ['127.0.0.1', '[::1]', 'localhost']

export async function* examineEmbedder(settings: EmbedderSettings): AsyncGenerator<Finding> {
  const { protocol, hostname } = new URL(settings.url)
  if (protocol === 'http:' && !local.includes(hostname)) {
    yield note(
      what,
      `what is recorded goes to ${hostname} without encryption`,
      'Use https://, or keep it in your network.',
    )
  }
  const embedder = openaiEmbedder(settings)
  try {
    const within = AbortSignal.timeout(answersWithin)
    const { dimensions } = await measureSpace(embedder.model, (texts) => embedder.embed('record', texts, within))
    yield ok(what, `${settings.model} answers with vectors of ${dimensions} dimensions`)
    const since = Date.now()
    await embedder.embed('query', ['How soon does a question get its vector?'], within)
    const took = Date.now() - since
    if (took <= soon) yield ok(what, `a question has its vector in ${took} ms`)
    else {
      const remedy = 'Keep the model loaded, take a smaller one, or run it nearer.'
      yield note(what, `a question takes ${took} ms, and a search waits ${soon} ms: it is then by words alone`, remedy)
    }
  } catch (error) {
    yield awayFinding(what, error, 'Start it, or correct URL, model and key. Until then search is by words alone.')
  }
}
