/** Reads the names of people, such as those who decided. */
import { isVisible } from '../../../validation/schema.ts'
import type { AdrDocument } from '../document/document.ts'
import { parseInline } from '../document/markdown.ts'
import { isPlaceholder } from '../document/placeholder.ts'

/** Between names, but not in brackets: `the owner (questions 3, 4 and 8)`. */
const separator = /(?:[,;、，；\n&]|\s(?:and|und|et|y|e|en|og|och)\s)(?![^()\n]*\))/u
/** `@ada @bo` */
const onlyHandles = /^\s*@\S+(?:\s+@\S+)+\s*$/

/** Names of people, separated by commas, semicolons, `and` or line breaks. Ignores a template's `[list everyone …]`. */
export function namesIn(sources: readonly string[], document: AdrDocument): string[] {
  const names = sources
    .filter((source) => !isPlaceholder(source))
    .flatMap((source) =>
      parseInline(source.replace(/^\{(.*)\}$/s, '$1'), document.definitions)
        .plain.split(separator)
        .flatMap((name) => (onlyHandles.test(name) ? name.trim().split(/\s+/) : name)),
    )
    .map((name) =>
      name
        .replace(/\s+/gu, ' ')
        .replace(/^[\s*•–-]+|[\s.*]+$/gu, '')
        .trim(),
    )
    .filter((name) => isVisible(name) && !/^(?:n\/?a|none|tbd|-|\?+)$/i.test(name))
  return [...new Set(names)]
}
