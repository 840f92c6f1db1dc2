import dagre from '@dagrejs/dagre'
import type { SchemaDiagram } from '@trellis/contract/explorer/explorer.schemas'

export type Detail = 'all' | 'keys' | 'names'

export const HEAD_HEIGHT = 32
export const LINE_HEIGHT = 22
export const TABLE_WIDTH = 240
const GAP = 48
/** Longer tables are truncated. */
const MAX_LINES = 40

interface DiagramLine {
  name: string
  type: string
  isPrimaryKey: boolean
  isForeignKey: boolean
  isNullable: boolean
}
export interface PlacedTable {
  id: string
  x: number
  y: number
  height: number
  lines: readonly DiagramLine[]
  hidden: number
}
export interface DiagramEdge {
  id: string
  from: string
  to: string
  label: string
}
export interface PlacedDiagram {
  tables: readonly PlacedTable[]
  edges: readonly DiagramEdge[]
  width: number
  height: number
}

/** Foreign keys to other schemas are not drawn. */
function listEdges({ tables, foreign_keys }: SchemaDiagram, schema: string): DiagramEdge[] {
  const names = new Set(tables.map(({ name }) => name))
  return foreign_keys
    .filter((key) => key.other_schema_name === schema && names.has(key.other_table_name))
    .map((key) => ({
      id: JSON.stringify([key.table_name, key.name]),
      from: key.table_name,
      to: key.other_table_name,
      label: `${key.columns.join(', ')} → ${key.other_columns.join(', ')}`,
    }))
}

function listLines(
  table: SchemaDiagram['tables'][number],
  foreign: ReadonlySet<string>,
  detail: Detail,
): DiagramLine[] {
  const lines = table.columns.map(({ name, type, is_nullable, is_primary_key }) => ({
    name,
    type: shortenType(type),
    isPrimaryKey: is_primary_key,
    isForeignKey: foreign.has(name),
    isNullable: is_nullable,
  }))
  if (detail === 'names') return []
  return detail === 'keys' ? lines.filter((line) => line.isPrimaryKey || line.isForeignKey) : lines
}

/** Layered along foreign keys; unconnected tables in rows below. */
export function layOutDiagram(diagram: SchemaDiagram, schema: string, detail: Detail): PlacedDiagram {
  const edges = listEdges(diagram, schema)
  const foreign = new Map<string, Set<string>>()
  for (const { table_name, columns } of diagram.foreign_keys) {
    const targets = foreign.get(table_name) ?? new Set()
    for (const column of columns) targets.add(column)
    foreign.set(table_name, targets)
  }
  const sized = diagram.tables.map((table) => {
    const lines = listLines(table, foreign.get(table.name) ?? new Set(), detail)
    const shownLines = lines.slice(0, MAX_LINES)
    const hidden = detail === 'names' ? 0 : table.columns.length - shownLines.length
    const more = hidden > 0 ? 1 : 0
    return { id: table.name, lines: shownLines, hidden, height: HEAD_HEIGHT + (shownLines.length + more) * LINE_HEIGHT }
  })
  const connected = new Set(edges.flatMap(({ from, to }) => (from === to ? [] : [from, to])))
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', ranker: 'tight-tree', nodesep: 32, ranksep: 96 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, height } of sized) if (connected.has(id)) graph.setNode(id, { width: TABLE_WIDTH, height })
  for (const { id, from, to } of edges) if (from !== to) graph.setEdge(to, from, {}, id)
  if (connected.size > 0) dagre.layout(graph)
  const placedTables: PlacedTable[] = []
  for (const table of sized) {
    if (!connected.has(table.id)) continue
    const { x = 0, y = 0 } = graph.node(table.id)
    placedTables.push({ ...table, x: Math.round(x - TABLE_WIDTH / 2), y: Math.round(y - table.height / 2) })
  }
  placedTables.push(
    ...placeInRows(
      sized.filter(({ id }) => !connected.has(id)),
      getBottom(placedTables),
    ),
  )
  return { tables: placedTables, edges, width: getRight(placedTables), height: getBottom(placedTables) }
}

const getBottom = (tables: readonly PlacedTable[]) => Math.max(0, ...tables.map(({ y, height }) => y + height))
const getRight = (tables: readonly PlacedTable[]) => Math.max(0, ...tables.map(({ x }) => x + TABLE_WIDTH))

function placeInRows(tables: readonly Omit<PlacedTable, 'x' | 'y'>[], below: number): PlacedTable[] {
  const across = Math.max(1, Math.ceil(Math.sqrt(tables.length * 1.6)))
  const placedTables: PlacedTable[] = []
  let top = below === 0 ? 0 : below + GAP
  for (let first = 0; first < tables.length; first += across) {
    const row = tables.slice(first, first + across)
    for (const [index, table] of row.entries()) placedTables.push({ ...table, x: index * (TABLE_WIDTH + GAP), y: top })
    top += Math.max(...row.map(({ height }) => height)) + GAP
  }
  return placedTables
}

const SHORT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^timestamp(\(\d\))? with time zone/, 'timestamptz$1'],
  [/^timestamp(\(\d\))? without time zone/, 'timestamp$1'],
  [/^time(\(\d\))? with time zone/, 'timetz$1'],
  [/^time(\(\d\))? without time zone/, 'time$1'],
  [/^character varying/, 'varchar'],
  [/^character\(/, 'char('],
  [/^double precision/, 'float8'],
]

/** PostgreSQL's type aliases leave room for column names. */
function shortenType(type: string): string {
  const shortType = SHORT_TYPES.find(([long]) => long.test(type))
  return shortType ? type.replace(shortType[0], shortType[1]) : type
}
