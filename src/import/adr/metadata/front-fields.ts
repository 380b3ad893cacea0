/** Reads the metadata of a record from its front matter. */
import { wordKey } from '../document/dictionary.ts'
import type { FrontMatter } from '../document/front-matter.ts'
import { type Field, labels, relationKinds } from './field-line.ts'

export function frontFields(front: FrontMatter): Field[] {
  const fields: Field[] = []
  for (const [key, { values, maps = [], line }] of front.fields) {
    const kind = labels.get(key)
    if (!kind) continue
    const typed = kind === 'relates' ? maps.flatMap((map) => typedLink(map, line)) : []
    if (typed.length > 0) fields.push(...typed)
    else for (const source of values) fields.push({ kind, source, line, from: 'front matter' })
  }
  return fields
}

/** `{ type: supersedes, target: 0003-use-one-file.md }`, `{ supersedes: ADR 3 }`. */
function typedLink(map: Record<string, string>, line: number): Field[] {
  const { type, relation = type, rel = relation, kind: named = rel, ...others } = map
  const [target] = Object.values(others)
  const pairs = named === undefined ? Object.entries(others) : [[named, target ?? ''] as const]
  return pairs.flatMap(([word, source]) => {
    const kind = labels.get(wordKey(word))
    return kind && relationKinds.has(kind) ? [{ kind, source, line, from: 'front matter' as const }] : []
  })
}
