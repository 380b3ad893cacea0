/** The translator in Node. */
import { idleThread } from '../../../ports/idle-thread.ts'
import type { Translated } from '../format.ts'
import type { ToTranslate } from './to-markdown.ts'
import { boundedTranslator, limitMs, refusing, type Translator } from './translator.ts'

/** MB. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** The built file of the thread. Undefined when this file runs unbuilt, because Node 20 runs no TypeScript in a thread. */
const builtThread = import.meta.url.endsWith('.js') ? new URL('./translate-thread.js', import.meta.url) : undefined

/** Uses a thread if the code is built. */
export function openTranslator(): Translator {
  return builtThread ? threadedTranslator(builtThread) : { translate: refusing(inThisThread), close: async () => {} }
}

/** `module`: URL of the built translate-thread. */
export function threadedTranslator(module: URL, { limit = limitMs } = {}): Translator {
  const thread = idleThread<ToTranslate>(module, { ended: 'it needs too much memory', resourceLimits, idleMs: limitMs })
  return boundedTranslator(thread, { limit })
}

async function inThisThread(asked: ToTranslate): Promise<Translated> {
  const { toMarkdown } = await import('./to-markdown.ts')
  return toMarkdown(asked)
}
