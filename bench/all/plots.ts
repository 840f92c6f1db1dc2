const WIDTH = 720
const INK = '#1f2937'
const GREY = '#9ca3af'
const GOOD = '#15803d'
const BAD = '#b91c1c'

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const svg = (height: number, parts: readonly string[]) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
interface Place {
  readonly x: number
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
}
const label = (text: string, { x, y, anchor = 'start' }: Place) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" fill="${INK}" text-anchor="${anchor}">${escape(text)}</text>`

export interface Margin {
  readonly what: string
  /** 1 is the limit; more is better. */
  readonly share: number
}

const LABEL_WIDTH = 400
const ROW = 18
/** Of three times the limit and more, how much more does not matter. */
const MAX_SHARE = 3

export function plotMargins(margins: readonly Margin[]): string {
  const scale = (WIDTH - LABEL_WIDTH - 50) / MAX_SHARE
  const height = 40 + margins.length * ROW
  const rows = margins.flatMap(({ what, share }, at) => {
    const y = 30 + at * ROW
    const width = Math.max(1, Math.min(share, MAX_SHARE) * scale)
    const short = what.length > 62 ? `${what.slice(0, 61)}…` : what
    return [
      label(short, { x: LABEL_WIDTH - 6, y: y + 11, anchor: 'end' }),
      `<rect x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 5}" fill="${share >= 1 ? GOOD : BAD}"/>`,
      label(`${share > MAX_SHARE ? '> 3' : share.toFixed(2)} ×`, { x: LABEL_WIDTH + width + 4, y: y + 11 }),
    ]
  })
  const limit = LABEL_WIDTH + scale
  return svg(height, [
    ...rows,
    `<line x1="${limit}" x2="${limit}" y1="24" y2="${height - 6}" stroke="${INK}" stroke-dasharray="3 3"/>`,
    label('limit', { x: limit, y: 18, anchor: 'middle' }),
  ])
}

export interface Point {
  readonly x: number
  readonly y: number
}

interface Axes {
  readonly x: string
  readonly unit: string
}

export function plotCurve(points: readonly Point[], { x, unit }: Axes): string {
  const [left, right, top, bottom] = [70, WIDTH - 30, 20, 210]
  const logs = points.map((point) => Math.log10(point.x))
  const [from, to] = [Math.min(...logs), Math.max(...logs)]
  const most = Math.max(...points.map((point) => point.y)) * 1.15 || 1
  const places = points.map((point, at) => ({
    ...point,
    px: left + (((logs[at] ?? 0) - from) / (to - from || 1)) * (right - left - 40) + 20,
    py: bottom - (point.y / most) * (bottom - top),
  }))
  return svg(260, [
    `<path d="M${left} ${top} V${bottom} H${right}" fill="none" stroke="${GREY}"/>`,
    `<polyline points="${places.map(({ px, py }) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ')}" fill="none" stroke="${GOOD}" stroke-width="2"/>`,
    ...places.flatMap((place) => [
      `<circle cx="${place.px.toFixed(1)}" cy="${place.py.toFixed(1)}" r="4" fill="${GOOD}"/>`,
      label(`${Number(place.y.toPrecision(3))} ${unit}`, { x: place.px, y: place.py - 9, anchor: 'middle' }),
      label(place.x.toLocaleString('en'), { x: place.px, y: bottom + 18, anchor: 'middle' }),
    ]),
    label(x, { x: (left + right) / 2, y: bottom + 40, anchor: 'middle' }),
    label('0', { x: left - 8, y: bottom + 4, anchor: 'end' }),
  ])
}
