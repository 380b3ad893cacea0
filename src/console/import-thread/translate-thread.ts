/** Entry point of the thread that translates records in a browser. */
import { type ToTranslate, toMarkdown } from '../../import/adr/translated/to-markdown.ts'

addEventListener('message', ({ data }: MessageEvent<ToTranslate>) => {
  try {
    postMessage({ result: toMarkdown(data) })
  } catch (error) {
    postMessage({ error: String(error) })
  }
})
