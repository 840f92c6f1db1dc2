import type { SchemaDiagram } from '@trellis/contract/explorer/explorer.schemas'
import { expect, test } from 'vitest'
import { layOutDiagram, TABLE_WIDTH } from './diagram-layout.ts'
import { buildDiagramSvg } from './diagram-svg.ts'

const table = (name: string, columns: string[]) => ({
  name,
  kind: 'table' as const,
  columns: columns.map((column, at) => ({
    name: column,
    type: 'integer',
    is_nullable: at > 0,
    is_primary_key: at === 0,
  })),
})
const key = (from: string, to: string, schema = 'shop') => ({
  name: `${from}_${to}`,
  table_name: from,
  columns: [`${to}_id`],
  other_schema_name: schema,
  other_table_name: to,
  other_columns: ['id'],
})
const shop: SchemaDiagram = {
  tables: [
    table('customers', ['id', 'name']),
    table('orders', ['id', 'customers_id', 'total']),
    table('notes', ['id']),
  ],
  foreign_keys: [key('orders', 'customers'), key('orders', 'people', 'hr'), key('customers', 'customers')],
  is_cut: false,
}

function overlap(diagram: ReturnType<typeof layOutDiagram>): boolean {
  return diagram.tables.some((a, at) =>
    diagram.tables.some(
      (b, other) =>
        other > at &&
        a.x < b.x + TABLE_WIDTH &&
        b.x < a.x + TABLE_WIDTH &&
        a.y < b.y + b.height &&
        b.y < a.y + a.height,
    ),
  )
}

test('a foreign key to another schema leads nowhere, one to the same table does', () => {
  expect(layOutDiagram(shop, 'shop', 'all').edges.map(({ from, to }) => [from, to])).toEqual([
    ['orders', 'customers'],
    ['customers', 'customers'],
  ])
})

test('what is pointed to stands left, and nothing overlaps', () => {
  const placedDiagram = layOutDiagram(shop, 'shop', 'all')
  const at = (id: string) => placedDiagram.tables.find((placedTable) => placedTable.id === id)!
  expect(at('customers').x).toBeLessThan(at('orders').x)
  expect(at('notes').y).toBeGreaterThan(at('orders').y)
  expect(overlap(placedDiagram)).toBe(false)
})

test('columns can be reduced to keys, or to none', () => {
  const lines = (detail: 'all' | 'keys' | 'names') =>
    layOutDiagram(shop, 'shop', detail).tables.find(({ id }) => id === 'orders')!
  expect(lines('all').lines.map(({ name }) => name)).toEqual(['id', 'customers_id', 'total'])
  expect(lines('keys').lines.map(({ name }) => name)).toEqual(['id', 'customers_id'])
  expect(lines('names').lines).toEqual([])
  expect(lines('keys').hidden).toBe(1)
})

test('200 tables are laid out without overlapping', () => {
  const tables = Array.from({ length: 200 }, (_, at) => table(`t${at}`, ['id', 'a', 'b', 'c']))
  const foreign_keys = Array.from({ length: 150 }, (_, at) => key(`t${at + 1}`, `t${Math.floor(at / 3)}`))
  const placedDiagram = layOutDiagram({ tables, foreign_keys, is_cut: false }, 'shop', 'all')
  expect(placedDiagram.tables).toHaveLength(200)
  expect(overlap(placedDiagram)).toBe(false)
})

test('the picture holds every name, escaped', () => {
  const odd = { ...shop, tables: [...shop.tables, table('<a & "b">', ['id'])] }
  const svg = buildDiagramSvg(layOutDiagram(odd, 'shop', 'all'), {
    ground: '#fff',
    surface: '#fff',
    border: '#ddd',
    text: '#111',
    soft: '#666',
    accent: '#44c',
  })
  expect(svg).toContain('&lt;a &amp; &quot;b&quot;&gt;')
  expect(svg).toContain('customers_id')
  expect(new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')).toBeNull()
})
