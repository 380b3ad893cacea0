/** Entry point of the thread that translates reStructuredText in a browser. */
import { toMarkdown } from '../../import/adr/restructured-text/markdown.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => {
  try {
    postMessage({ result: toMarkdown(data) })
  } catch (error) {
    postMessage({ error: String(error) })
  }
})
