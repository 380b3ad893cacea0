/** The words of a graph: in its drawing and in its list. */
import { dayTold, standingOf } from '../../records/standing.ts'
import type { Graph } from '../service/service.ts'

export type GraphNode = Graph['nodes'][number]
export type GraphEdge = Graph['edges'][number]

/** `not in force, 2024-05-01, failure` */
export function factsOf(node: GraphNode): string {
  const { type, outcome_status } = node
  return [...(type === 'memory' ? ['memory'] : []), standingOf(node), dayTold(node), outcome_status]
    .filter(Boolean)
    .join(', ')
}

/** How the newer record of an edge relates to the older one: `superseded since 2024-05-01`. */
export function effectOf({ type, at }: Pick<GraphEdge, 'type' | 'at'>): string {
  const day = at?.slice(0, 10)
  if (type === 'supersedes') return day === undefined ? 'superseded' : `superseded since ${day}`
  return day === undefined ? 'to be superseded once accepted' : `to be superseded from ${day} on`
}

/** At most `most` lines of about `width` characters. Words that don't fit are left out, with an ellipsis. */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let rest = [...text.replace(/\s+/g, ' ').trim()]
  while (rest.length > 0) {
    if (rest.length <= width) return [...lines, rest.join('')]
    if (lines.length === most - 1)
      return [
        ...lines,
        `${rest
          .slice(0, width - 1)
          .join('')
          .trimEnd()}…`,
      ]
    const space = rest.lastIndexOf(' ', width)
    const end = space > width / 2 ? space : width
    lines.push(rest.slice(0, end).join(''))
    rest = rest.slice(rest[end] === ' ' ? end + 1 : end)
  }
  return lines
}
