export const NODE_WIDTH = 240
export const NODE_HEIGHT = 96
export const GRID = 16
const GROUP_PADDING = 24
const GROUP_HEAD = 40
export const FOLDED = { width: 240, height: 72 } as const

export interface Point {
  x: number
  y: number
}
export interface Box extends Point {
  width: number
  height: number
}

export const snapToGrid = (value: number): number => Math.round(value / GRID) * GRID

const blockBox = ({ x, y }: Point): Box => ({ x, y, width: NODE_WIDTH, height: NODE_HEIGHT })

export function getBoundingBox(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** Leaves room for the name above the blocks. */
export function groupBox(members: readonly Point[]): Box | null {
  const inner = getBoundingBox(members.map(blockBox))
  return (
    inner && {
      x: inner.x - GROUP_PADDING,
      y: inner.y - GROUP_HEAD,
      width: inner.width + 2 * GROUP_PADDING,
      height: inner.height + GROUP_HEAD + GROUP_PADDING,
    }
  )
}

const overlaps = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

export const containsPoint = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height

/** The first position at or below the wanted one without overlap. */
export function freePlace(takenPoints: readonly Point[], wantedPoint: Point): Point {
  const boxes = takenPoints.map(blockBox)
  const point = { x: snapToGrid(wantedPoint.x), y: snapToGrid(wantedPoint.y) }
  const wide = (position: Point): Box => ({
    x: position.x,
    y: position.y,
    width: NODE_WIDTH,
    height: NODE_HEIGHT + GRID,
  })
  while (boxes.some((box) => overlaps(wide(point), box))) point.y += GRID
  return point
}

/** Fit to view from known sizes, before anything is rendered. */
export function viewportFor(box: Box | null, screen: { width: number; height: number }, most = 1) {
  if (!box || screen.width === 0) return { x: 48, y: 48, zoom: 1 }
  const margin = 48
  const zoom = Math.min(
    most,
    Math.max(0.05, (screen.width - 2 * margin) / box.width),
    Math.max(0.05, (screen.height - 2 * margin) / box.height),
  )
  return {
    x: (screen.width - box.width * zoom) / 2 - box.x * zoom,
    y: (screen.height - box.height * zoom) / 2 - box.y * zoom,
    zoom,
  }
}

const READABLE = 0.6

/** Fit to view; on phones the beginning, where fitted blocks would be unreadable. */
export function firstView(box: Box | null, screen: { width: number; height: number }) {
  const whole = viewportFor(box, screen)
  if (!box || screen.width >= 600 || whole.zoom >= READABLE) return whole
  const zoom = READABLE
  const free = Math.max(32, screen.height - box.height * zoom)
  return { x: 16 - box.x * zoom, y: free / 2 - box.y * zoom, zoom }
}

export function getArrowCurve(from: Box, to: Box) {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x, to.y + to.height / 2]
  return { x1, y1, x2, y2, bend: Math.max(40, Math.abs(x2 - x1) / 2) }
}

export function curvePath(from: Box, to: Box): string {
  const { x1, y1, x2, y2, bend } = getArrowCurve(from, to)
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`
}
