/** The words of a graph: in its drawing and in its list. */
import { beginTold, dayTold, standingOf } from '../../records/standing.ts'
import type { Graph } from '../service/service.ts'

export type GraphNode = Graph['nodes'][number]
export type GraphEdge = Graph['edges'][number]

/** How each record of a graph stands. */
export type Look = 'holds' | 'old' | 'ahead'

/** `old`: superseded, rejected or deprecated. `ahead`: proposed, or takes effect later. */
export function looksOf({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): Map<string, Look> {
  const superseded = new Set(edges.filter(({ type }) => type === 'supersedes').map(({ to }) => to))
  return new Map(
    nodes.map((node) => {
      if (node.in_force) return [node.id, 'holds']
      const isAhead = !superseded.has(node.id) && (node.status === 'proposed' || beginOf(node) !== undefined)
      return [node.id, isAhead ? 'ahead' : 'old']
    }),
  )
}

function beginOf({ status, decided_at }: GraphNode): string | undefined {
  return status === 'accepted' ? beginTold({ superseded_by: [] }, decided_at) : undefined
}

/** `not in force, 2024-05-01, failure` */
export function factsOf(node: GraphNode, look: Look | undefined): string {
  const { type, outcome_status } = node
  const begin = look === 'ahead' ? beginOf(node) : undefined
  const standing = begin === undefined ? [standingOf(node), dayTold(node)] : [begin]
  return [...(type === 'memory' ? ['memory'] : []), ...standing, outcome_status].filter(Boolean).join(', ')
}

/** What happened to the older record of an edge: `superseded on 2024-05-01`. */
export function effectOf({ type, at }: Pick<GraphEdge, 'type' | 'at'>): string {
  const day = at?.slice(0, 10)
  if (type === 'supersedes') return day === undefined ? 'superseded' : `superseded on ${day}`
  return day === undefined ? 'to be superseded, once accepted,' : `to be superseded on ${day}`
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
