/**
 * Where the records of a graph are drawn: the newer above the older. A layer holds the records with equally many steps
 * below the top, by the longest way. An edge that crosses a layer has a place in it, so that it passes between the boxes.
 */
export interface LayoutEdge {
  /** The newer one. */
  from: string
  /** The older one. */
  to: string
}

export interface Point {
  x: number
  y: number
}

export interface Layout<Edge extends LayoutEdge> {
  /** Of each record, the left upper corner of its box; from the top down, each row from left to right. */
  boxes: ReadonlyMap<string, Point>
  /** The points that the line of each edge passes, from the newer box to the older one. */
  lines: readonly { edge: Edge; points: readonly Point[] }[]
  width: number
  height: number
}

export const box = { width: 210, height: 66 } as const
const gap = { x: 26, y: 46, row: 22 } as const
/** Of the place of an edge that crosses a layer. */
const crossingWidth = 14
/** Boxes side by side. A wider layer continues in further rows, so that it is not much wider than high. */
const mostInRow = (boxes: number) => Math.max(5, Math.ceil(Math.sqrt(2 * boxes)))
/** Edges that cross more layers are drawn straight, so that few long ones can't take a place in hundreds of layers. */
const mostLayersCrossed = 20
const mostCrossings = 2_000
/** Passes that order the layers: more change little. */
const passes = 4

/** A record, or the place where an edge crosses a layer. */
interface Place {
  id: string
  layer: number
  isBox: boolean
  above: Place[]
  below: Place[]
  /** Its place in the layer, from 0 (left) to 1 (right). */
  at: number
}

export function layoutOf<Edge extends LayoutEdge>(ids: readonly string[], edges: readonly Edge[]): Layout<Edge> {
  const known = new Set(ids)
  const drawn = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
  const layers = layersOf([...known], drawn)
  const places = new Map(
    [...known].map((id): [string, Place] => [
      id,
      { id, layer: layers.get(id) as number, isBox: true, above: [], below: [], at: 0 },
    ]),
  )
  const chains = chainsOf(drawn, places)
  const all = [...places.values(), ...chains.flatMap(({ chain }) => chain.slice(1, -1))]
  const { corners, width, height } = placed(ordered(all))
  return {
    boxes: new Map([...corners].flatMap(([place, corner]) => (place.isBox ? [[place.id, corner] as const] : []))),
    lines: chains.map(({ edge, chain }) => ({ edge, points: pointsOf(chain, corners) })),
    width,
    height,
  }
}

/** The longest way from the top to each record. An edge that closes a cycle is ignored: it can't be drawn downwards. */
function layersOf(ids: readonly string[], edges: readonly LayoutEdge[]): Map<string, number> {
  const older = new Map<string, string[]>(ids.map((id) => [id, []]))
  const waiting = new Map(ids.map((id) => [id, 0]))
  for (const { from, to } of edges) {
    older.get(from)?.push(to)
    waiting.set(to, (waiting.get(to) ?? 0) + 1)
  }
  const layers = new Map<string, number>()
  const depth = new Map(ids.map((id) => [id, 0]))
  const ready = ids.filter((id) => waiting.get(id) === 0)
  const rest = ids.values()
  while (layers.size < ids.length) {
    // nothing is ready only in a cycle: it is cut at the first record that is left
    const id = ready.shift() ?? nextOf(rest, layers)
    if (layers.has(id)) continue
    const layer = depth.get(id) as number
    layers.set(id, layer)
    for (const next of older.get(id) ?? []) {
      if (layers.has(next)) continue
      depth.set(next, Math.max(depth.get(next) as number, layer + 1))
      const left = (waiting.get(next) as number) - 1
      waiting.set(next, left)
      if (left === 0) ready.push(next)
    }
  }
  return layers
}

function nextOf(rest: Iterator<string>, taken: ReadonlyMap<string, unknown>): string {
  for (let next = rest.next(); !next.done; next = rest.next()) if (!taken.has(next.value)) return next.value
  throw new Error('every record is in a layer')
}

/** Each edge as the places that it passes, its ends included, and these places as neighbours of each other. */
function chainsOf<Edge extends LayoutEdge>(edges: readonly Edge[], places: ReadonlyMap<string, Place>) {
  let crossings = 0
  return edges.map((edge) => {
    const from = places.get(edge.from) as Place
    const to = places.get(edge.to) as Place
    const crossed = Math.max(0, to.layer - from.layer - 1)
    const isBent = crossed > 0 && crossed <= mostLayersCrossed && crossings + crossed <= mostCrossings
    if (isBent) crossings += crossed
    const between = Array.from({ length: isBent ? crossed : 0 }, (_, step): Place => {
      return { id: '', layer: from.layer + step + 1, isBox: false, above: [], below: [], at: 0 }
    })
    const chain = [from, ...between, to]
    for (const [step, place] of chain.entries()) {
      const next = chain[step + 1]
      if (next === undefined || next.layer <= place.layer) continue
      place.below.push(next)
      next.above.push(place)
    }
    return { edge, chain }
  })
}

/** The layers from the top down, each ordered so that neighbours are near each other (barycentre heuristic). */
function ordered(all: readonly Place[]): Place[][] {
  const last = Math.max(-1, ...all.map(({ layer }) => layer))
  const layers = Array.from({ length: last + 1 }, (): Place[] => [])
  for (const place of all) layers[place.layer]?.push(place)
  for (const layer of layers) number(layer)
  for (let pass = 0; pass < passes; pass++) {
    const isDown = pass % 2 === 0
    for (const layer of isDown ? layers : layers.toReversed()) {
      const wanted = new Map(layer.map((place) => [place, meanOf(isDown ? place.above : place.below) ?? place.at]))
      layer.sort((one, other) => (wanted.get(one) as number) - (wanted.get(other) as number))
      number(layer)
    }
  }
  return layers
}

function number(layer: readonly Place[]): void {
  for (const [at, place] of layer.entries()) place.at = (at + 0.5) / layer.length
}

function meanOf(places: readonly Place[]): number | undefined {
  return places.length === 0 ? undefined : places.reduce((sum, { at }) => sum + at, 0) / places.length
}

/** The left upper corner of each place. Rows are centred. */
function placed(layers: readonly Place[][]) {
  const rows = layers.flatMap((layer) => {
    const some = rowsOf(layer)
    return some.map((row, at) => ({ row, isLast: at === some.length - 1, width: widthOf(row) }))
  })
  const width = Math.max(0, ...rows.map((row) => row.width))
  const corners = new Map<Place, Point>()
  let y = 0
  let height = 0
  for (const { row, isLast, width: own } of rows) {
    let x = (width - own) / 2
    for (const place of row) {
      corners.set(place, { x, y })
      x += placeWidth(place) + gap.x
    }
    height = y + box.height
    y = height + (isLast ? gap.y : gap.row)
  }
  return { corners, width, height }
}

function rowsOf(layer: readonly Place[]): Place[][] {
  const most = mostInRow(layer.filter(({ isBox }) => isBox).length)
  const rows: Place[][] = [[]]
  let boxes = 0
  for (const place of layer) {
    if (place.isBox && boxes === most) {
      rows.push([])
      boxes = 0
    }
    rows.at(-1)?.push(place)
    if (place.isBox) boxes += 1
  }
  return rows
}

const placeWidth = ({ isBox }: Place) => (isBox ? box.width : crossingWidth)

function widthOf(row: readonly Place[]): number {
  return row.reduce((sum, place) => sum + placeWidth(place), (row.length - 1) * gap.x)
}

/** From the lower side of the newer box to the upper side of the older one, straight down through each layer between. */
function pointsOf(chain: readonly Place[], corners: ReadonlyMap<Place, Point>): Point[] {
  return chain.flatMap((place, at): Point[] => {
    const corner = corners.get(place) as Point
    const x = corner.x + placeWidth(place) / 2
    const [top, bottom] = [
      { x, y: corner.y },
      { x, y: corner.y + box.height },
    ]
    if (at === 0) return [bottom]
    return at === chain.length - 1 ? [top] : [top, bottom]
  })
}
