import type { Column, Database, ExportJob, Label, TableLine } from '@trellis/contract/explorer/explorer.schemas'
import type { Deletion } from '@trellis/contract/explorer/recycle-bin.schemas'
import { daysFromNow } from './fake-company.ts'

export interface FakeTable extends Omit<TableLine, 'labels'> {
  schema: string
  labelIds: number[]
  columns: Column[]
  rows: (string | null)[][]
  columnTexts: Record<string, string>
}

export interface FakeExplorer {
  hasSandbox: boolean
  connected: Database[]
  schemas: string[]
  tables: FakeTable[]
  labels: Label[]
  exports: ExportJob[]
  deletions: (Deletion & { held: FakeTable[] })[]
  recent: { schema_name: string; table_name: string }[]
  exportAnswers: Partial<ExportJob>[]
}

export const FAKE_DATABASE = 'w-northwind-growth-db'

const column = (name: string, type: string, more: Partial<Column> = {}): Column => ({
  name,
  type,
  is_nullable: true,
  default: null,
  is_generated: false,
  is_primary_key: false,
  description: null,
  statistics: null,
  ...more,
})

const share = (value: string, of: number) => ({ value, share: of })

const ORDER_COLUMNS: Column[] = [
  column('id', 'bigint', {
    is_nullable: false,
    is_primary_key: true,
    statistics: { null_fraction: 0, distinct: -1, common: [], lowest: '1', highest: '48211' },
  }),
  column('customer', 'text', {
    statistics: { null_fraction: 0.04, distinct: 812, common: [], lowest: 'Adler', highest: 'Zhou' },
  }),
  column('status', 'text', {
    description: 'Where the order stands.',
    statistics: {
      null_fraction: 0,
      distinct: 3,
      common: [share('paid', 0.61), share('shipped', 0.3), share('open', 0.09)],
      lowest: 'open',
      highest: 'shipped',
    },
  }),
  column('amount', 'numeric(12,2)'),
  column('placed_at', 'timestamp with time zone', { default: 'now()' }),
  column('extra', 'jsonb'),
]

const NAMES = ['Adler', 'Baptiste', 'Chen', 'Dalgaard', 'Eze', 'Fischer', 'García', 'Haddad']
const STATES = ['paid', 'shipped', 'open']

function order(at: number): (string | null)[] {
  return [
    String(at + 1),
    at % 9 === 4 ? null : (NAMES[at % NAMES.length] ?? null),
    STATES[at % 3] ?? null,
    (17.5 + ((at * 37) % 400)).toFixed(2),
    `2026-0${1 + (at % 9)}-1${at % 10} 08:3${at % 10}:00+00`,
    at % 4 === 0 ? `{"channel": "web", "items": [${at}, ${at + 1}], "gift": ${at % 8 === 0}}` : null,
  ]
}

export function fakeTable(schema: string, name: string, more: Partial<FakeTable> = {}): FakeTable {
  return {
    schema,
    name,
    kind: 'table',
    rows_estimate: 1200,
    size_bytes: 96 * 1024,
    description: null,
    labelIds: [],
    columns: [column('id', 'bigint', { is_primary_key: true, is_nullable: false }), column('name', 'text')],
    rows: NAMES.map((other, at) => [String(at + 1), other]),
    columnTexts: {},
    ...more,
  }
}

export function createExplorer(change: Partial<FakeExplorer> = {}): FakeExplorer {
  return {
    hasSandbox: false,
    schemas: ['public', 'shop', 'staging'],
    tables: [
      fakeTable('shop', 'orders', {
        rows_estimate: 1_234_567,
        size_bytes: 182 * 1024 * 1024,
        description: 'Every order of the shop, **one row each**.',
        labelIds: [1],
        columns: ORDER_COLUMNS,
        rows: Array.from({ length: 260 }, (_, at) => order(at)),
        columnTexts: { status: 'Where the order stands.' },
      }),
      fakeTable('shop', 'customers', { rows_estimate: 812, labelIds: [1, 2] }),
      fakeTable('shop', 'ad_spend', { rows_estimate: 40_200, size_bytes: 8 * 1024 * 1024 }),
      fakeTable('shop', 'daily_revenue', { kind: 'view', rows_estimate: null, size_bytes: 0 }),
      fakeTable('staging', 'import_2026_11', { rows_estimate: 0, rows: [] }),
    ],
    labels: [
      { id: 1, name: 'Gold', color: 'yellow' },
      { id: 2, name: 'Personal data', color: 'red' },
    ],
    connected: [],
    exports: [],
    deletions: [],
    recent: [
      { schema_name: 'shop', table_name: 'orders' },
      { schema_name: 'shop', table_name: 'customers' },
    ],
    exportAnswers: [],
    ...change,
  }
}

export function fakeExport(change: Partial<ExportJob> = {}): ExportJob {
  return {
    job_id: '33333333-3333-4333-8333-333333333333',
    status: 'in_progress',
    schema_name: 'shop',
    table_name: 'orders',
    format: 'csv',
    rows_written: 0,
    size_bytes: null,
    file_name: 'orders.csv',
    error: null,
    created_at: daysFromNow(0),
    finished_at: null,
    expires_at: daysFromNow(7),
    ...change,
  }
}
