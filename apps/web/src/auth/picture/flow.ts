export type BlockKind = 'source' | 'database' | 'upload' | 'transform' | 'table'

export interface Block {
  id: string
  kind: BlockKind
  title: string
  note: string
  x: number
  y: number
}

export const BLOCK = { width: 176, height: 54 }

export const BLOCKS: readonly Block[] = [
  { id: 'shop', kind: 'source', title: 'Web shop', note: 'source · every 5 min', x: 0, y: 44 },
  { id: 'postgres', kind: 'database', title: 'Postgres', note: 'source · on change', x: 0, y: 136 },
  { id: 'file', kind: 'upload', title: 'orders.csv', note: 'upload · 12 columns', x: 0, y: 228 },
  { id: 'join', kind: 'transform', title: 'Join on customer', note: 'transform · SQL', x: 236, y: 90 },
  { id: 'clean', kind: 'transform', title: 'Clean currency', note: 'transform · 3 rules', x: 236, y: 182 },
  { id: 'revenue', kind: 'table', title: 'daily_revenue', note: 'table · up to date', x: 472, y: 136 },
]

const LINKS: readonly (readonly [from: string, to: string])[] = [
  ['shop', 'join'],
  ['postgres', 'join'],
  ['file', 'clean'],
  ['join', 'revenue'],
  ['clean', 'revenue'],
]

export interface Edge {
  id: string
  path: string
}

const fromTableToAnswer: Edge = {
  id: 'revenue-answer',
  path: 'M560 190v36c0 22-14 34-36 34h-74c-22 0-36 12-36 34v26',
}

export const EDGES: readonly Edge[] = [...LINKS.map(toEdge), fromTableToAnswer]

function toEdge([from, to]: readonly [string, string]): Edge {
  const start = getBlock(from)
  const end = getBlock(to)
  const x1 = start.x + BLOCK.width
  const y1 = start.y + BLOCK.height / 2
  const y2 = end.y + BLOCK.height / 2
  const middle = (x1 + end.x) / 2
  return { id: `${from}-${to}`, path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${end.x} ${y2}` }
}

function getBlock(id: string): Block {
  const block = BLOCKS.find((candidate) => candidate.id === id)
  if (!block) throw new Error(`The picture has no block ${id}`)
  return block
}
