/** The translator in a browser. The thread of the import may have a thread of its own. */
import { boundedTranslator, type TranslatingThread, type Translator } from '../../import/adr/translated/translator.ts'

/** `address`: of the built translate-thread. */
export function openTranslator(address: string): Translator {
  return boundedTranslator(threadAt(address))
}

function threadAt(address: string): TranslatingThread {
  let worker: Worker | undefined
  const close = async () => {
    worker?.terminate()
    worker = undefined
  }
  return {
    ask(toTranslate) {
      const asked = worker ?? new Worker(address, { type: 'module' })
      worker = asked
      return new Promise((resolve, reject) => {
        asked.onmessage = ({ data }: MessageEvent<{ result: unknown } | { error: string }>) => {
          if ('error' in data) reject(new Error(data.error))
          else resolve(data.result)
        }
        asked.onerror = () => {
          void close()
          reject(new Error('it could not be loaded'))
        }
        asked.postMessage(toTranslate)
      })
    },
    close,
  }
}
