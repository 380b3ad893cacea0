/** The graph around a decision: a drawing, and the same as a list. */
import { useMemo, useState } from 'preact/hooks'
import { pathOfRecord } from '../parts/addresses.ts'
import { type Reading, useReading } from '../parts/context.ts'
import { Link } from '../parts/link.tsx'
import { Refused } from '../parts/told.tsx'
import type { Graph } from '../service/service.ts'
import { GraphDrawing } from './graph-drawing.tsx'
import { layoutOf } from './graph-layout.ts'
import { effectOf, factsOf, type GraphNode, looksOf } from './graph-told.ts'

const firstDepth = 5
/** The most that the service allows. */
const mostDepth = 20

export interface GraphReading extends Reading<Graph> {
  depth: number
  deeper(): void
}

/** The decision tells other records only by their ids, and the graph has their titles. So the page reads it once for both. */
export function useGraph(root: string): GraphReading {
  const [depth, setDepth] = useState(firstDepth)
  const reading = useReading((service, signal) => service.graph(root, depth, signal), root)
  return {
    ...reading,
    depth,
    deeper() {
      setDepth((before) => Math.min(mostDepth, 2 * before))
      reading.again()
    },
  }
}

/** Shows nothing for a record without neighbours. */
export function GraphAround({ reading }: { reading: GraphReading }) {
  const { value: graph, refusal, again, depth, deeper, isLoading } = reading
  if (refusal) {
    return (
      <section>
        <h2>The records around it</h2>
        <Refused refusal={refusal} again={again} />
      </section>
    )
  }
  if (graph === undefined || graph.nodes.length < 2) return null
  const isCut = !graph.truncated && graph.nodes.some((node) => node.depth >= depth)
  return (
    <section aria-busy={isLoading}>
      <h2>The records around it</h2>
      <p class="hint">
        What is newer is above what it supersedes. Crossed out: no longer in force. Dashed: planned or proposed, without
        effect yet.
      </p>
      <GraphShown graph={graph} />
      {graph.truncated && (
        <p class="hint">There are more than these {graph.nodes.length}. Open one of them to see others.</p>
      )}
      {isCut && depth < mostDepth && (
        <button type="button" class="other" disabled={isLoading} onClick={deeper}>
          Look more than {depth} steps away
        </button>
      )}
      {isCut && depth === mostDepth && (
        <p class="hint">There may be more than {depth} steps away. Open one of the last to see on.</p>
      )}
    </section>
  )
}

function GraphShown({ graph }: { graph: Graph }) {
  const { nodes, edges } = graph
  const layout = useMemo(() => {
    const ids = nodes.map(({ id }) => id)
    return layoutOf(ids, edges)
  }, [nodes, edges])
  return (
    <>
      <GraphDrawing graph={graph} layout={layout} />
      <details>
        <summary>The same as a list</summary>
        <GraphList graph={graph} order={[...layout.boxes.keys()]} />
      </details>
    </>
  )
}

/** `order`: the ids in the order of the drawing. */
function GraphList({ graph, order }: { graph: Graph; order: readonly string[] }) {
  const looks = looksOf(graph)
  const byId = new Map(graph.nodes.map((node) => [node.id, node]))
  const nodes = order.flatMap((id) => byId.get(id) ?? [])
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.id}>
          <NodeLink node={node} /> <span class="hint">({factsOf(node, looks.get(node.id))})</span>
          {node.id === graph.root && <strong> this one</strong>}
          {graph.edges
            .filter(({ to }) => to === node.id)
            .map(({ from, reason, ...effect }) => (
              <div key={from}>
                {effectOf(effect)} by <NodeLink node={byId.get(from)} />
                {reason !== undefined && <span class="text">: {reason}</span>}
              </div>
            ))}
        </li>
      ))}
    </ul>
  )
}

function NodeLink({ node }: { node: GraphNode | undefined }) {
  return node === undefined ? null : <Link to={pathOfRecord(node) as string}>{node.title}</Link>
}
