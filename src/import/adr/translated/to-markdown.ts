/** Translates the text of a record to Markdown. */
import { fromAsciidoc } from '../asciidoc/markdown.ts'
import type { Translated, TranslatedFormat } from '../format.ts'
import { fromRestructuredText } from '../restructured-text/markdown.ts'

export interface ToTranslate {
  text: string
  format: TranslatedFormat
}

/** Throws if the parser does. A hostile text may take it very long. */
export function toMarkdown({ text, format }: ToTranslate): Translated {
  return format === 'rst' ? fromRestructuredText(text) : fromAsciidoc(text)
}
