/** Reads the header of an AsciiDoc file: attributes, authors and revision. Its translation to Markdown has no header. */

import { wordKey } from '../document/dictionary.ts'
import { labels } from '../metadata/field-line.ts'

interface HeaderField {
  label: string
  value: string
  /** Counted from 1. */
  line: number
}

const attribute = /^:(\p{L}[\p{L}\p{N}_-]*):\s+(\S.*)$/u
/** `Ada Byron <ada@example.org>; Bo Li`. */
const authors = /^(?:[\p{L}.'’-]+(?: [\p{L}.'’-]+){1,3}(?: <[^<>\s]+>)?(?:; |$))+$/u
/** `v1.2, 2024-03-04`, `2024-03-04`. */
const revision = /^(?:v?\d[\d.]*, ?)?(\d{4}-\d{2}-\d{2})(?:[:,].*)?$/

/** The fields of the header that say something of a decision record. `source`: the lines of the file. */
export function headerFields(source: readonly string[]): HeaderField[] {
  const title = source.findIndex((line) => /^= \S/.test(line))
  const above = title < 0 ? source.length : title
  const end = source.findIndex((line, at) => at > above && line.trim() === '')
  const header = source.slice(0, end < 0 ? source.length : end)
  return header.flatMap((text, at): HeaderField[] => {
    const line = at + 1
    const [, label = '', value = ''] = attribute.exec(text) ?? []
    if (labels.has(wordKey(label))) return [{ label, value, line }]
    if (at <= above) return []
    const day = revision.exec(text)?.[1]
    if (day !== undefined) return [{ label: 'created', value: day, line }]
    const isAuthors = at === above + 1 && authors.test(text)
    return isAuthors ? [{ label: 'authors', value: text.replace(/ <[^<>]*>/g, '').replaceAll('; ', ', '), line }] : []
  })
}
