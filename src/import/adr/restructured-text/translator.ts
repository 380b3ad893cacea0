/**
 * Translates files of reStructuredText, one after another, in a thread of Node or of a browser. Regular expressions of the
 * parser can take very long on a hostile text, and only a thread can be stopped. It loads the parser with the first file.
 */
import type { Translated } from './markdown.ts'

export interface Translator {
  /** Never rejects: a text that cannot be translated is refused with a reason. */
  translate(text: string): Promise<Translated | Refused>
  /** Ends the thread. */
  close(): Promise<void>
}

export interface Refused {
  refused: string
}

/** UTF-16 units. Longer than any record, and short enough to be parsed within the time limit. */
export const mostCharacters = 262_144
/** UTF-16 units of one line. Some regular expressions of the parser take the square of it, or more. */
const mostInLine = 20_000
/** ms for one file. A record takes a few of them. */
export const limitMs = 10_000
/** Files that are stopped before no other file is tried, so that a folder of hostile files ends within a minute. */
const mostStopped = 6

/** Translates one text after another. */
export interface TranslatingThread {
  /** Resolves with Translated. Rejects if the text cannot be translated. */
  ask(text: string): Promise<unknown>
  /** Ends it, also while it translates. It starts again with the next text. */
  close(): Promise<void>
}

/** The thread is stopped after `limit` ms, and starts again with the next text. */
export function boundedTranslator(thread: TranslatingThread, { limit = limitMs } = {}): Translator {
  let stopped = 0
  return {
    translate: refusing(async (text) => {
      if (stopped >= mostStopped) return { refused: refusal(`${stopped} other files took the parser too long`) }
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<Refused>((resolve) => {
        // this timer also keeps the process alive until the thread answers
        timer = setTimeout(() => resolve({ refused: refusal(`the parser takes longer than ${limit / 1000} s`) }), limit)
      })
      const answer = thread.ask(text) as Promise<Translated>
      try {
        const first = await Promise.race([answer, late])
        if ('refused' in first) {
          // rejects when the thread is stopped, but nobody waits for it any more
          answer.catch(() => {})
          stopped += 1
          await thread.close()
        }
        return first
      } finally {
        clearTimeout(timer)
      }
    }),
    close: () => thread.close(),
  }
}

export function refusing(translate: (text: string) => Promise<Translated | Refused>): Translator['translate'] {
  return async (text) => {
    if (text.length > mostCharacters) return { refused: refusal(`it has more than ${mostCharacters} characters`) }
    if (text.split('\n').some((line) => line.length > mostInLine)) {
      return { refused: refusal(`it has a line of more than ${mostInLine} characters`) }
    }
    try {
      return await translate(text)
    } catch (error) {
      // the parser throws plain errors, and RangeError if a text is nested too deep
      const [why = ''] = (error as Error).message.replace(/^\w*Error: /, '').split('\n')
      return { refused: refusal(`the parser of reStructuredText failed (${why.slice(0, 150)})`) }
    }
  }
}

const refusal = (why: string) => `not read: ${why}`
