import {
  type DiagramEdge,
  HEAD_HEIGHT,
  LINE_HEIGHT,
  type PlacedDiagram,
  type PlacedTable,
  TABLE_WIDTH,
} from './diagram-layout.ts'

export interface DiagramColors {
  ground: string
  surface: string
  border: string
  text: string
  soft: string
  accent: string
}

const MARGIN = 32
const MAX_NAME = 26
const MAX_TYPE = 14

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** From right to left edge, or around where that is shorter. */
export function buildEdgePath({ from, to }: DiagramEdge, tables: ReadonlyMap<string, PlacedTable>): string {
  const source = tables.get(from)
  const target = tables.get(to)
  if (!source || !target) return ''
  const startY = source.y + HEAD_HEIGHT / 2
  const endY = target.y + HEAD_HEIGHT / 2
  if (from === to) {
    const x = source.x + TABLE_WIDTH
    return `M ${x} ${startY} C ${x + 48} ${startY - 24}, ${x + 48} ${startY + 40}, ${x} ${startY + 16}`
  }
  const isRight = source.x >= target.x + TABLE_WIDTH
  const startX = isRight ? source.x : source.x + TABLE_WIDTH
  const endX = isRight ? target.x + TABLE_WIDTH : target.x
  const bend = Math.max(32, Math.abs(endX - startX) / 2)
  const side = isRight ? -1 : 1
  return `M ${startX} ${startY} C ${startX + side * bend} ${startY}, ${endX - side * bend} ${endY}, ${endX} ${endY}`
}

export function buildDiagramSvg({ tables, edges, width, height }: PlacedDiagram, colors: DiagramColors): string {
  const byId = new Map(tables.map((table) => [table.id, table]))
  const box = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${width + 2 * MARGIN}" height="${height + 2 * MARGIN}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12">`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width + 2 * MARGIN}" height="${height + 2 * MARGIN}" fill="${colors.ground}"/>`,
    ...edges.map(
      (edge) => `<path d="${buildEdgePath(edge, byId)}" fill="none" stroke="${colors.accent}" stroke-width="1.5"/>`,
    ),
    ...tables.map((table) => buildTable(table, colors)),
    '</svg>',
  ].join('\n')
}

function buildTable({ id, x, y, height, lines, hidden }: PlacedTable, colors: DiagramColors): string {
  const text = (point: { x: number; y: number }, words: string, more: string) =>
    `<text x="${point.x}" y="${point.y}" ${more}>${escape(words)}</text>`
  const rows = lines.flatMap((line, index) => {
    const middle = y + HEAD_HEIGHT + index * LINE_HEIGHT + 15
    const mark = line.isPrimaryKey ? '● ' : line.isForeignKey ? '○ ' : ''
    return [
      text({ x: x + 10, y: middle }, `${mark}${cut(line.name, MAX_NAME)}`, `fill="${colors.text}"`),
      text({ x: x + TABLE_WIDTH - 10, y: middle }, cut(line.type, MAX_TYPE), `fill="${colors.soft}" text-anchor="end"`),
    ]
  })
  const moreY = y + HEAD_HEIGHT + lines.length * LINE_HEIGHT + 15
  return [
    `<g><title>${escape(id)}</title>`,
    `<rect x="${x}" y="${y}" width="${TABLE_WIDTH}" height="${height}" rx="6" fill="${colors.surface}" stroke="${colors.border}"/>`,
    text({ x: x + 10, y: y + 20 }, cut(id, 30), `fill="${colors.text}" font-weight="600"`),
    ...rows,
    ...(hidden > 0 ? [text({ x: x + 10, y: moreY }, `${hidden} more`, `fill="${colors.soft}"`)] : []),
    '</g>',
  ].join('')
}
