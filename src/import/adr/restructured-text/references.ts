/** Finds what references of one file point to: targets may be defined anywhere in it. */
import {
  RstFootnoteDef,
  RstHyperlinkRef,
  RstHyperlinkTarget,
  type RstNode,
  RstSection,
  RstSubstitutionDef,
} from 'rst-compiler'

export interface References {
  /** The URL of a reference by its name; undefined: it points into this file, or to nothing. */
  urlOf(name: string): string | undefined
  /** The URL of the next anonymous reference. */
  nextAnonymous(): string | undefined
  /** The title below `.. _label:`, if the label is in this file. */
  titleAt(label: string): string | undefined
  substitution(name: string): RstSubstitutionDef | undefined
  /** What is printed for a footnote with this label: its number, if it has none of its own. */
  footnote(label: string): string
  /** Labels above the first title: other files use them to refer to this file. */
  labels: readonly string[]
}

/** Aliases of aliases that are followed. */
const mostAliases = 10
const keyOf = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()

export function referencesIn(blocks: readonly RstNode[]): References {
  const targets = new Map<string, string>()
  const titles = new Map<string, string>()
  const substitutions = new Map<string, RstSubstitutionDef>()
  const numbers = new Map<string, string>()
  const anonymous: string[] = []
  const labels: string[] = []
  let open: string[] = []
  let hasTitle = false
  let next = 0

  function define(node: RstHyperlinkTarget): void {
    const url = node.target.replace(/\s+/g, '')
    if (node.isAnonymous) anonymous.push(url)
    else if (node.isTargetingNextNode) open.push(node.label)
    else {
      // `.. _a:` above `.. _b: url` has the same target
      for (const name of [...open, node.label]) targets.set(keyOf(name), node.isAlias ? `${node.target}` : url)
      open = []
    }
  }

  function visit(node: RstNode): void {
    if (node instanceof RstHyperlinkTarget) {
      define(node)
      return
    }
    if (node instanceof RstHyperlinkRef && node.isEmbeded && !node.isAlias && !node.isAnonymous) {
      targets.set(keyOf(node.label), node.target)
    }
    if (node instanceof RstSubstitutionDef) substitutions.set(node.needle, node)
    if (node instanceof RstFootnoteDef && node.label.startsWith('#')) numbers.set(node.label, `${numbers.size + 1}`)
    if (node instanceof RstSection) {
      for (const label of open) titles.set(keyOf(label), node.textContent.trim())
      if (!hasTitle) labels.push(...open)
      hasTitle = true
    }
    open = []
    for (const child of node.children) visit(child)
  }
  for (const block of blocks) visit(block)

  return {
    urlOf(name) {
      let found = targets.get(keyOf(name))
      for (let steps = 0; found?.endsWith('_') && steps < mostAliases; steps++) {
        const alias = targets.get(keyOf(found.slice(0, -1).replace(/^`|`$/g, '')))
        if (alias === undefined) break
        found = alias
      }
      return found
    },
    nextAnonymous: () => anonymous[next++],
    titleAt: (label) => titles.get(keyOf(label)),
    substitution: (name) => substitutions.get(name),
    footnote: (label) => numbers.get(label) ?? label.replace(/^#/, ''),
    labels,
  }
}
