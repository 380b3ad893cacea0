/** The formats that are translated to Markdown, so that one set of rules reads all records. */

export type TranslatedFormat = 'rst' | 'adoc'

export const nameOfFormat: Record<TranslatedFormat, string> = { rst: 'reStructuredText', adoc: 'AsciiDoc' }

export interface Translated {
  markdown: string
  /** By line of the Markdown, from 0: the line of the source, counted from 1. */
  lines: number[]
  /** Labels above the title, which other files may use to refer to this one. */
  labels: readonly string[]
}

/** By the ending of its name. undefined: the file is read as Markdown. */
export function translatedFormatOf(name: string): TranslatedFormat | undefined {
  if (/\.rst$/i.test(name)) return 'rst'
  return /\.(?:adoc|asciidoc)$/i.test(name) ? 'adoc' : undefined
}
