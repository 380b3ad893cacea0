import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { box, type LayoutEdge, layoutOf } from '../../src/console/record/graph-layout.ts'

const idOf = (number: number) => `r${number}`
const idsOf = (count: number) => Array.from({ length: count }, (_, number) => idOf(number))

/** Edges from smaller to larger numbers, so without a cycle, in any order. */
const graphs = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    ids: fc.shuffledSubarray(idsOf(count), { minLength: count }),
    edges: fc.array(
      fc
        .tuple(fc.nat(count - 1), fc.nat(count - 1))
        .filter(([one, other]) => one !== other)
        .map(([one, other]): LayoutEdge => ({ from: idOf(Math.min(one, other)), to: idOf(Math.max(one, other)) })),
      { maxLength: count === 1 ? 0 : 80 },
    ),
  }),
)

describe('the layout of a graph', () => {
  it('places every record once, the newer above the older, and no two over each other', () => {
    fc.assert(
      fc.property(graphs, ({ ids, edges }) => {
        const { boxes, lines, width, height } = layoutOf(ids, edges)
        expect([...boxes.keys()].sort()).toEqual([...ids].sort())
        for (const { from, to } of edges) expect(below(boxes, from)).toBeLessThanOrEqual(boxes.get(to)?.y ?? 0)
        for (const [at, one] of [...boxes.values()].entries()) {
          expect(one.x >= 0 && one.x + box.width <= width && one.y + box.height <= height).toBe(true)
          for (const other of [...boxes.values()].slice(at + 1)) {
            const isApart = Math.abs(one.x - other.x) >= box.width || Math.abs(one.y - other.y) >= box.height
            expect(isApart).toBe(true)
          }
        }
        expect(lines.map(({ edge }) => edge)).toEqual(edges)
      }),
    )
  })

  it('begins and ends each line at its boxes', () => {
    fc.assert(
      fc.property(graphs, ({ ids, edges }) => {
        const { boxes, lines } = layoutOf(ids, edges)
        for (const { edge, points } of lines) {
          expect(points[0]).toEqual({ x: middle(boxes, edge.from), y: below(boxes, edge.from) })
          expect(points.at(-1)).toEqual({ x: middle(boxes, edge.to), y: boxes.get(edge.to)?.y })
        }
      }),
    )
  })

  it('leads a line around the box between its ends', () => {
    const edges = [
      { from: 'new', to: 'between' },
      { from: 'between', to: 'old' },
      { from: 'new', to: 'old' },
    ]
    const { boxes, lines } = layoutOf(['new', 'between', 'old'], edges)
    const passed = lines[2]?.points.slice(1, -1) ?? []
    const between = boxes.get('between') ?? { x: 0, y: 0 }
    expect(passed).toHaveLength(2)
    for (const { x } of passed) expect(x < between.x || x > between.x + box.width).toBe(true)
  })

  it('ends with edges that form cycles, and with those to unknown records', () => {
    const arbitrary = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { maxLength: 60 })
    fc.assert(
      fc.property(arbitrary, (pairs) => {
        const edges = pairs.map(([from, to]) => ({ from: idOf(from), to: idOf(to) }))
        expect(layoutOf(idsOf(10), edges).boxes.size).toBe(10)
      }),
    )
  })

  it('places the most records of one answer, in one chain and all connected with the first', () => {
    const ids = idsOf(500)
    const chain = ids.slice(1).map((to, at) => ({ from: idOf(at), to }))
    const star = ids.slice(2).map((to) => ({ from: idOf(0), to }))
    const { boxes, lines } = layoutOf(ids, [...chain, ...star])
    expect([...boxes.keys()]).toEqual(ids)
    expect(lines).toHaveLength(chain.length + star.length)
  })
})

type Boxes = ReturnType<typeof layoutOf>['boxes']

const middle = (boxes: Boxes, id: string) => (boxes.get(id)?.x ?? 0) + box.width / 2
const below = (boxes: Boxes, id: string) => (boxes.get(id)?.y ?? 0) + box.height
