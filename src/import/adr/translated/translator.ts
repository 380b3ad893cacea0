/**
 * Translates files in other formats to Markdown, one after another, in a thread of Node or of a browser. Regular expressions
 * of the parsers can take very long on a hostile text, and only a thread can be stopped. It loads the parsers with the first
 * file.
 */
import { nameOfFormat, type Translated, type TranslatedFormat } from '../format.ts'
import type { ToTranslate } from './to-markdown.ts'

export interface Translator {
  /** Never rejects: a text that cannot be translated is refused with a reason. */
  translate(text: string, format: TranslatedFormat): Promise<Translated | Refused>
  /** Ends the thread. */
  close(): Promise<void>
}

export interface Refused {
  refused: string
}

/** UTF-16 units. Longer than any record, and short enough to be parsed within the time limit. */
export const mostCharacters = 262_144
/** UTF-16 units of one line. Some regular expressions of the parsers take the square of it, or more. */
const mostInLine = 20_000
/** ms for one file. A record takes a few of them. */
export const limitMs = 10_000
/** Files that are stopped before no other file is tried, so that a folder of hostile files ends within a minute. */
const mostStopped = 6

/** Translates one text after another. */
export interface TranslatingThread {
  /** Resolves with Translated. Rejects if the text cannot be translated. */
  ask(asked: ToTranslate): Promise<unknown>
  /** Ends it, also while it translates. It starts again with the next text. */
  close(): Promise<void>
}

/** The thread is stopped after `limit` ms, and starts again with the next text. */
export function boundedTranslator(thread: TranslatingThread, { limit = limitMs } = {}): Translator {
  let stopped = 0
  return {
    translate: refusing(async (asked) => {
      if (stopped >= mostStopped) return { refused: refusal(`${stopped} other files took the parser too long`) }
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<Refused>((resolve) => {
        // this timer also keeps the process alive until the thread answers
        timer = setTimeout(() => resolve({ refused: refusal(`the parser takes longer than ${limit / 1000} s`) }), limit)
      })
      const answer = thread.ask(asked) as Promise<Translated>
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

export function refusing(translate: (asked: ToTranslate) => Promise<Translated | Refused>): Translator['translate'] {
  return async (text, format) => {
    if (text.length > mostCharacters) return { refused: refusal(`it has more than ${mostCharacters} characters`) }
    if (text.split('\n').some((line) => line.length > mostInLine)) {
      return { refused: refusal(`it has a line of more than ${mostInLine} characters`) }
    }
    try {
      return await translate({ text, format })
    } catch (error) {
      // the parsers throw plain errors, and RangeError if a text is nested too deep
      const [why = ''] = (error as Error).message.replace(/^\w*Error: /, '').split('\n')
      return { refused: refusal(`the parser of ${nameOfFormat[format]} failed (${why.slice(0, 150)})`) }
    }
  }
}

const refusal = (why: string) => `not read: ${why}`
