import { encodePng } from './encode-png.ts'

const WIDTH = 832
const HEIGHT = 288
const MARGIN = 16
const LINE = 5
const GRID_LINES = 4

type Color = readonly [red: number, green: number, blue: number]
const GROUND: Color = [255, 255, 255]
const GRID: Color = [228, 228, 233]
export const PICTURE_COLORS = ['#4e4cd6', '#0f9d8a', '#d9822b', '#c2417c', '#5b6ee1', '#7a8b2a'] as const

interface DrawnChart {
  readonly kind: 'line' | 'bar'
  /** Equal lengths; null is a gap. */
  readonly series: readonly (readonly (number | null)[])[]
}

export function drawChart({ kind, series }: DrawnChart): Buffer {
  const canvas = createCanvas()
  const values = series.flat().filter((value) => value !== null)
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = high - low || 1
  const toY = (value: number) => MARGIN + (HEIGHT - 2 * MARGIN) * (1 - (value - low) / span)
  for (let at = 0; at <= GRID_LINES; at++) {
    canvas.drawBox({ x: 0, y: toY(low + (span * at) / GRID_LINES) - 1, width: WIDTH, height: 2 }, GRID)
  }
  const count = Math.max(1, ...series.map((values) => values.length))
  const step = (WIDTH - 2 * MARGIN) / count
  for (const [index, one] of series.entries()) {
    const color = toColor(PICTURE_COLORS[index % PICTURE_COLORS.length] ?? PICTURE_COLORS[0])
    const width = Math.max(1, (step * 0.8) / series.length)
    let before: { x: number; y: number } | undefined
    for (const [at, value] of one.entries()) {
      const left = MARGIN + step * at
      if (value === null) before = undefined
      else if (kind === 'bar') {
        const [top, bottom] = [toY(Math.max(0, value)), toY(Math.min(0, value))]
        const x = left + step * 0.1 + width * index
        canvas.drawBox({ x, y: top, width, height: Math.max(1, bottom - top) }, color)
      } else {
        const point = { x: left + step / 2, y: toY(value) }
        canvas.stroke(before ?? point, point, color)
        before = point
      }
    }
  }
  return encodePng({ width: WIDTH, height: HEIGHT, bytes: canvas.bytes })
}

const toColor = (hex: string): Color => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never

function createCanvas() {
  const bytes = new Uint8Array(WIDTH * HEIGHT * 3)
  for (let at = 0; at < bytes.length; at += 3) bytes.set(GROUND, at)
  const mix = (x: number, y: number, { color, share }: { color: Color; share: number }) => {
    if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT || share <= 0) return
    const at = (y * WIDTH + x) * 3
    for (const [part, value] of color.entries()) {
      const old = bytes[at + part] ?? 0
      bytes[at + part] = Math.round(old + (value - old) * Math.min(1, share))
    }
  }
  return {
    bytes,
    drawBox(box: { x: number; y: number; width: number; height: number }, color: Color) {
      const [right, bottom] = [Math.round(box.x + box.width), Math.round(box.y + box.height)]
      for (let y = Math.round(box.y); y < bottom; y++) {
        for (let x = Math.round(box.x); x < Math.max(right, Math.round(box.x) + 1); x++) mix(x, y, { color, share: 1 })
      }
    },
    stroke(from: { x: number; y: number }, to: { x: number; y: number }, color: Color) {
      const [dx, dy] = [to.x - from.x, to.y - from.y]
      const length = dx * dx + dy * dy
      const [top, bottom] = [Math.floor(Math.min(from.y, to.y) - LINE), Math.ceil(Math.max(from.y, to.y) + LINE)]
      for (let y = top; y <= bottom; y++) {
        for (let x = Math.floor(from.x - LINE); x <= Math.ceil(to.x + LINE); x++) {
          const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - from.x) * dx + (y - from.y) * dy) / length))
          const distance = Math.hypot(x - from.x - along * dx, y - from.y - along * dy)
          mix(x, y, { color, share: LINE / 2 + 0.5 - distance })
        }
      }
    },
  }
}
