/** Formats a graph of decisions as two trees: what the root superseded, and what took its place. */

import type { GraphOutput } from '../../decisions/graph.ts'
import { dayTold, standingOf } from '../../records/standing.ts'
import { cut } from '../../records/title.ts'
import { layoutOn } from './layout.ts'
import { inLine, type Terminal } from './terminal.ts'

type Node = GraphOutput['nodes'][number]
type Edge = GraphOutput['edges'][number]

/** Characters. `precedent get` shows the whole text. */
const longestTitle = 100
const longestReason = 240

export function graphLines({ root, nodes, edges }: GraphOutput, terminal: Terminal): string {
  const { faint, strong } = layoutOn(terminal)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const told = new Set([root])
  const trees = [
    { heading: 'Took the place of:', near: 'from', far: 'to' },
    { heading: 'Replaced by:', near: 'to', far: 'from' },
  ] as const
  const lines = [lineOf(byId.get(root) as Node, undefined)]
  for (const { heading, near, far } of trees) {
    const from = new Map<string, Edge[]>()
    for (const edge of edges) from.set(edge[near], [...(from.get(edge[near]) ?? []), edge])
    const tree = branches(root, '')
    if (tree.length > 0) lines.push(heading, ...tree)

    function branches(id: string, margin: string): string[] {
      const some = from.get(id) ?? []
      return some.flatMap((edge, at) => {
        const [branch, below] = at === some.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  ']
        const next = byId.get(edge[far]) as Node
        // a graph may have several ways to one decision, and cycles
        if (told.has(next.id)) return [`${margin}${branch}${inLine(next.title)} ${faint('(see above)')}`]
        told.add(next.id)
        return [`${margin}${branch}${lineOf(next, edge)}`, ...branches(next.id, margin + below)]
      })
    }
  }
  return lines.join('\n')

  function lineOf(node: Node, edge: Edge | undefined): string {
    const { type, id, title, status, in_force } = node
    const standing = standingOf({ in_force, status })
    const pending = edge?.type === 'pending' ? [edge.at ? `from ${edge.at.slice(0, 10)}` : 'pending'] : []
    const facts = [standing, ...pending, dayTold(node), ...(type === 'memory' ? [type] : []), id]
    const reason = edge?.reason === undefined ? '' : `: ${cut(inLine(edge.reason), longestReason)}`
    return `${strong(cut(inLine(title), longestTitle))}  ${faint(facts.join('  '))}${reason}`
  }
}
