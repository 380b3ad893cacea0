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

/** `not in force, 2024-05-01, outcome: failure` */
export function factsOf(node: GraphNode, look: Look | undefined): string {
  const { type, outcome_status } = node
  const begin = look === 'ahead' ? beginOf(node) : undefined
  const standing = begin === undefined ? [standingOf(node), dayTold(node)] : [begin]
  const outcome = outcome_status && `outcome: ${outcome_status}`
  return [...(type === 'memory' ? ['memory'] : []), ...standing, outcome].filter(Boolean).join(', ')
}

/** What happened to the older record of an edge: `superseded on 2024-05-01`. */
export function effectOf({ type, at }: Pick<GraphEdge, 'type' | 'at'>): string {
  const day = at?.slice(0, 10)
  if (type === 'supersedes') return day === undefined ? 'superseded' : `superseded on ${day}`
  return day === undefined ? 'to be superseded, once accepted,' : `to be superseded on ${day}`
}

/** At most `most` lines of about `width` characters. What doesn't fit is left out, with an ellipsis. */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let rest = [...text.replace(/\s+/g, ' ').trim()]
  while (rest.length > 0) {
    const fits = fitting(rest, width)
    if (fits === rest.length) return [...lines, rest.join('')]
    if (lines.length === most - 1)
      return [
        ...lines,
        `${rest
          .slice(0, fits - 1)
          .join('')
          .trimEnd()}…`,
      ]
    const space = rest.lastIndexOf(' ', fits)
    const end = space > fits / 2 ? space : fits
    lines.push(rest.slice(0, end).join(''))
    rest = rest.slice(rest[end] === ' ' ? end + 1 : end)
  }
  return lines
}

/** How many of these characters fit. Those of Chinese, Japanese and Korean are almost twice as wide as others. */
function fitting(characters: readonly string[], width: number): number {
  let used = 0
  for (const [at, character] of characters.entries()) {
    used += wide.test(character) ? 1.8 : 1
    if (used > width) return Math.max(1, at)
  }
  return characters.length
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]|\p{Emoji_Presentation}/u
