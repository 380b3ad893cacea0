/** Which part of a drawing is seen, and how it moves. Pure, so that buttons, keys and the pointer share it. */
import type { Point } from './graph-layout.ts'

export interface Size {
  width: number
  height: number
}

export interface View {
  /** The point of the drawing in the middle of the window. */
  middle: Point
  /** Pixels per unit of the drawing. */
  scale: number
}

const leastScale = 0.05
const mostScale = 3
/** A larger drawing is not shown whole at first, because nobody could read it. */
const leastReadable = 0.85
/** Below it, no letter can be told from another. */
const leastLegible = 0.4
const margin = 16

/** Pixels. */
const mostHeight = 440

/** A window of this width, as high as the drawing needs. */
export function windowFor(drawing: Size, width: number): Size {
  const { scale } = wholeView(drawing, { width, height: mostHeight })
  const height = drawing.height * Math.max(leastReadable, scale) + 2 * margin
  return { width, height: Math.min(mostHeight, height) }
}

/** The whole drawing if it can be read so; else the surroundings of `root`, without empty space that could show more. */
export function firstView(drawing: Size, window: Size, root: Point): View {
  const whole = wholeView(drawing, window)
  if (whole.scale >= leastReadable) return whole
  const scale = leastReadable
  const near = (at: number, size: number, seen: number) => {
    const half = (seen / 2 - margin) / scale
    return half > size / 2 ? size / 2 : Math.min(size - half, Math.max(half, at))
  }
  return {
    middle: { x: near(root.x, drawing.width, window.width), y: near(root.y, drawing.height, window.height) },
    scale,
  }
}

export function wholeView(drawing: Size, window: Size): View {
  const scale = Math.min(
    (window.width - 2 * margin) / Math.max(1, drawing.width),
    (window.height - 2 * margin) / Math.max(1, drawing.height),
    1,
  )
  return { middle: { x: drawing.width / 2, y: drawing.height / 2 }, scale: Math.max(leastScale, scale) }
}

/** `about`: the point of the drawing that stays where it is. */
export function zoomed({ middle, scale }: View, factor: number, about: Point = middle): View {
  const next = Math.min(mostScale, Math.max(leastScale, scale * factor))
  const keep = scale / next
  return {
    middle: { x: about.x + (middle.x - about.x) * keep, y: about.y + (middle.y - about.y) * keep },
    scale: next,
  }
}

/** Moves the window by these pixels. The middle stays inside the drawing, so that it can't be lost. */
export function moved({ middle, scale }: View, by: Point, drawing: Size): View {
  const inside = (value: number, most: number) => Math.min(most, Math.max(0, value))
  return {
    middle: {
      x: inside(middle.x + by.x / scale, drawing.width),
      y: inside(middle.y + by.y / scale, drawing.height),
    },
    scale,
  }
}

/** Moves the view so that the box can be read. Unchanged if it can be read already. */
export function showing(view: View, corner: Point, size: Size, window: Size): View {
  const { middle, scale } = view
  const half = { x: window.width / scale / 2, y: window.height / scale / 2 }
  const isIn =
    corner.x >= middle.x - half.x &&
    corner.x + size.width <= middle.x + half.x &&
    corner.y >= middle.y - half.y &&
    corner.y + size.height <= middle.y + half.y
  if (isIn && scale >= leastLegible) return view
  return {
    middle: { x: corner.x + size.width / 2, y: corner.y + size.height / 2 },
    scale: scale < leastLegible ? leastReadable : scale,
  }
}

/** The point of the drawing at this place of the window. */
export function pointOf(at: Point, { middle, scale }: View, window: Size): Point {
  return { x: middle.x + (at.x - window.width / 2) / scale, y: middle.y + (at.y - window.height / 2) / scale }
}

export function viewBoxOf({ middle, scale }: View, window: Size): string {
  const [width, height] = [window.width / scale, window.height / scale]
  return [middle.x - width / 2, middle.y - height / 2, width, height].map((one) => one.toFixed(1)).join(' ')
}

const step = 80

/** What a key does. undefined: nothing. */
export function viewAfterKey(key: string, view: View, drawing: Size, window: Size): View | undefined {
  switch (key) {
    case '+':
    case '=':
      return zoomed(view, 1.25)
    case '-':
      return zoomed(view, 0.8)
    case '0':
      return wholeView(drawing, window)
    case 'ArrowLeft':
      return moved(view, { x: -step, y: 0 }, drawing)
    case 'ArrowRight':
      return moved(view, { x: step, y: 0 }, drawing)
    case 'ArrowUp':
      return moved(view, { x: 0, y: -step }, drawing)
    case 'ArrowDown':
      return moved(view, { x: 0, y: step }, drawing)
    default:
      return undefined
  }
}
