/** A graph of decisions as a Mermaid diagram, the newer above the older. */
import { dayTold, standingOf } from '../records/standing.ts'
import { cut } from '../records/title.ts'
import type { GraphOutput } from './graph.ts'

/** Characters of a title in the diagram. */
const longestTitle = 80

export function mermaidOf({ nodes, edges }: GraphOutput): string {
  const names = new Map(nodes.map(({ id }, at) => [id, `n${at}`]))
  const boxes = nodes.map((node) => {
    const { id, title, in_force, status } = node
    const standing = in_force ? '' : `, ${standingOf({ in_force, status })}`
    return `  ${names.get(id)}["${label(cut(title, longestTitle))}, ${dayTold(node)}${standing}"]`
  })
  const arrows = edges.map(({ from, to, type }) => {
    const arrow = type === 'pending' ? '-. pending .->' : '-->'
    return `  ${names.get(from)} ${arrow} ${names.get(to)}`
  })
  return ['flowchart TD', ...boxes, ...arrows].join('\n')
}

/** A title can't end its label or begin another element: all but letters, digits and plain signs become codes. */
function label(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N} .,:()/-]/gu, (character) => `#${character.codePointAt(0)};`)
}
