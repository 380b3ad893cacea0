/** Draws a graph. Where its boxes are is decided in graph-layout.ts. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { pathOfRecord } from '../parts/addresses.ts'
import { useSurroundings } from '../parts/context.ts'
import type { Graph } from '../service/service.ts'
import { box, type Layout, type Point } from './graph-layout.ts'
import { factsOf, type GraphEdge, type GraphNode, type Look, linesOf, looksOf } from './graph-told.ts'
import {
  firstView,
  moved,
  pointOf,
  showing,
  type View,
  viewAfterKey,
  viewBoxOf,
  windowFor,
  zoomed,
} from './graph-view.ts'

export function GraphDrawing({ graph, layout }: DrawnProps) {
  const { root } = graph
  const frame = useRef<HTMLElement>(null)
  const width = useWidth(frame)
  const window = useMemo(() => windowFor(layout, width), [layout, width])
  const corner = layout.boxes.get(root) as Point
  const middle = { x: corner.x + box.width / 2, y: corner.y + box.height / 2 }
  const [chosen, setChosen] = useState<{ layout: Layout<GraphEdge>; view: View }>()
  // a view of another drawing means nothing for this one
  const view = chosen?.layout === layout ? chosen.view : firstView(layout, window, middle)
  const show = (next: View) => setChosen({ layout, view: next })
  const press = (key: string) => {
    const next = viewAfterKey(key, view, layout, window)
    if (next) show(next)
    return next !== undefined
  }
  const drag = useDragging((by) => show(moved(view, by, layout)))
  const drawn = useMemo(() => <Drawn layout={layout} graph={graph} />, [layout, graph])
  return (
    <section
      class="graph"
      ref={frame}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys zoom and move the drawing
      tabIndex={0}
      aria-label="Graph. Plus and minus zoom, 0 shows all of it, and the arrow keys move it."
      onKeyDown={(event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey && press(event.key)) event.preventDefault()
      }}
      onFocusIn={(event) => {
        // a click moves nothing: it would miss its link
        const focused = event.target as Element
        const id = focused.matches(':focus-visible') ? focused.getAttribute('data-id') : null
        const at = id === null ? undefined : layout.boxes.get(id)
        if (at) show(showing(view, at, box, window))
      }}
      onWheel={(event) => {
        // pinching a touchpad sends it too. The wheel alone scrolls the page
        if (!event.ctrlKey) return
        event.preventDefault()
        const { left, top } = event.currentTarget.getBoundingClientRect()
        const at = pointOf({ x: event.clientX - left, y: event.clientY - top }, view, window)
        show(zoomed(view, event.deltaY < 0 ? 1.1 : 1 / 1.1, at))
      }}
      {...drag}
    >
      <svg role="presentation" viewBox={viewBoxOf(view, window)} width={window.width} height={window.height}>
        {drawn}
      </svg>
      <Buttons press={press} zoom={(factor) => show(zoomed(view, factor))} />
    </section>
  )
}

const moves = [
  ['ArrowLeft', '←', 'Move left'],
  ['ArrowUp', '↑', 'Move up'],
  ['ArrowDown', '↓', 'Move down'],
  ['ArrowRight', '→', 'Move right'],
] as const

function Buttons({ press, zoom }: { press(key: string): void; zoom(factor: number): void }) {
  return (
    <div class="graph-buttons">
      <button type="button" class="other" aria-label="Zoom in" onClick={() => zoom(1.25)}>
        +
      </button>
      <button type="button" class="other" aria-label="Zoom out" onClick={() => zoom(0.8)}>
        −
      </button>
      <button type="button" class="other" onClick={() => press('0')}>
        All
      </button>
      {moves.map(([key, sign, name]) => (
        <button key={key} type="button" class="other" aria-label={name} onClick={() => press(key)}>
          {sign}
        </button>
      ))}
    </div>
  )
}

interface DrawnProps {
  layout: Layout<GraphEdge>
  graph: Graph
}

/** From the top down, so that the tab key goes through it in the order of reading. */
function Drawn({ layout, graph }: DrawnProps) {
  const { root, nodes } = graph
  const looks = looksOf(graph)
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (
    <>
      {layout.lines.map(({ edge, points }) => (
        <path key={`${edge.from} ${edge.to}`} class={edge.type} d={pathOf(points)} fill="none">
          {edge.reason !== undefined && <title>{edge.reason}</title>}
        </path>
      ))}
      {[...layout.boxes].map(([id, corner]) => (
        <Box
          key={id}
          node={byId.get(id) as GraphNode}
          corner={corner}
          isRoot={id === root}
          look={looks.get(id) as Look}
        />
      ))}
    </>
  )
}

function Box({ node, corner, isRoot, look }: { node: GraphNode; corner: Point; isRoot: boolean; look: Look }) {
  const surroundings = useSurroundings()
  const { route } = useLocation()
  const { id, title } = node
  const facts = factsOf(node, look)
  const href = surroundings.root + (pathOfRecord(node) as string)
  return (
    <a
      href={href}
      class={isRoot ? `${look} root` : look}
      data-id={id}
      aria-label={`${title} (${facts})`}
      aria-current={isRoot ? 'page' : undefined}
      onClick={(event) => {
        // the router does not know links of a drawing
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.defaultPrevented) return
        event.preventDefault()
        route(href)
      }}
    >
      <title>{`${title} (${facts})`}</title>
      <svg aria-hidden="true" x={corner.x} y={corner.y} width={box.width} height={box.height}>
        <rect x="2" y="2" width={box.width - 4} height={box.height - 4} rx="6" />
        {linesOf(title, 25, 2).map((line, at) => (
          <text key={at} class="name" x="10" y={20 + at * 17}>
            {line}
          </text>
        ))}
        <text class="facts" x="10" y={box.height - 10}>
          {facts}
        </text>
      </svg>
    </a>
  )
}

/** Straight through layers, and curved between them. */
function pathOf([first, ...others]: readonly Point[]): string {
  if (first === undefined) return ''
  let from = first
  const steps = others.map((to) => {
    const half = (from.y + to.y) / 2
    const step = from.x === to.x ? `L${to.x} ${to.y}` : `C${from.x} ${half} ${to.x} ${half} ${to.x} ${to.y}`
    from = to
    return step
  })
  return [`M${first.x} ${first.y}`, ...steps].join('')
}

function useWidth(of: { current: Element | null }): number {
  const [width, setWidth] = useState(320)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(entry.contentRect.width)
    })
    if (of.current) observer.observe(of.current)
    return () => observer.disconnect()
  }, [of])
  return width
}

/** Pixels after which a press is no click any more. */
const leastDragged = 4

/** Calls `move` with the pixels that the window moves over the drawing. A drag follows no link. */
function useDragging(move: (by: Point) => void) {
  const drag = useRef<{ at: Point; isMoving: boolean } | undefined>(undefined)
  // later, because the click comes after it
  const end = () => {
    setTimeout(() => {
      drag.current = undefined
    })
  }
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button === 0) drag.current = { at: { x: event.clientX, y: event.clientY }, isMoving: false }
    },
    onPointerMove(event: PointerEvent) {
      if (drag.current === undefined || event.buttons === 0) return
      const by = { x: drag.current.at.x - event.clientX, y: drag.current.at.y - event.clientY }
      if (!drag.current.isMoving && Math.hypot(by.x, by.y) < leastDragged) return
      drag.current = { at: { x: event.clientX, y: event.clientY }, isMoving: true }
      move(by)
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    onDragStart(event: Event) {
      event.preventDefault()
    },
    onClickCapture(event: Event) {
      if (drag.current?.isMoving) {
        event.preventDefault()
        event.stopPropagation()
      }
    },
  }
}
