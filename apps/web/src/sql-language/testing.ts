import { type Catalogue, type CatalogueContent, createCatalogue } from './catalogue/catalogue.ts'

type NewTable = Partial<CatalogueContent['tables'][number]> & { name: string; columns: string[] }

const table = ({ name, columns, ...rest }: NewTable): CatalogueContent['tables'][number] => ({
  schema: 'data',
  name,
  kind: 'table',
  comment: null,
  columns,
  types: columns.map((column) => (column === 'id' || column.endsWith('_id') ? 'bigint' : 'text')),
  column_comments: {},
  ...rest,
})

const func = (name: string, args: string, result: string) => ({
  schema: 'pg_catalog',
  name,
  arguments: args,
  result,
  kind: 'function' as const,
  comment: `What ${name} does`,
})

const key = (from: string, column: string, to: string) => ({
  schema: 'data',
  table: from,
  columns: [column],
  foreign_schema: 'data',
  foreign_table: to,
  foreign_columns: ['id'],
})

export const SHOP_CONTENT: CatalogueContent = {
  search_path: ['data'],
  schemas: ['data', 'ads'],
  tables: [
    table({
      name: 'customers',
      columns: ['id', 'name', 'email', 'Full Name'],
      comment: 'Who buys',
      column_comments: { email: 'Where to write' },
    }),
    table({ name: 'orders', columns: ['id', 'customer_id', 'status', 'amount', 'order'] }),
    table({ name: 'order_items', columns: ['id', 'order_id', 'product_id', 'quantity'] }),
    table({ name: 'products', columns: ['id', 'title', 'price'] }),
    table({ name: 'daily', columns: ['day', 'revenue'], kind: 'view' }),
    table({ name: 'Odd Table', columns: ['a'] }),
    table({ name: 'spend', columns: ['day', 'cost'], schema: 'ads' }),
  ],
  foreign_keys: [
    key('orders', 'customer_id', 'customers'),
    key('order_items', 'order_id', 'orders'),
    key('order_items', 'product_id', 'products'),
  ],
  functions: [
    func('count', '"any"', 'bigint'),
    func('lower', 'text', 'text'),
    func('date_trunc', 'text, timestamp with time zone', 'timestamp with time zone'),
    func('date_trunc', 'text, interval', 'interval'),
    func('now', '', 'timestamp with time zone'),
    { ...func('net', 'gross numeric, rate numeric DEFAULT 0.19', 'numeric'), schema: 'data' },
  ],
}

export const SHOP: Catalogue = createCatalogue(SHOP_CONTENT)

/** `|` marks the cursor. */
export function atCursor(marked: string): { sql: string; offset: number } {
  const offset = marked.indexOf('|')
  return { sql: marked.slice(0, offset) + marked.slice(offset + 1), offset }
}
