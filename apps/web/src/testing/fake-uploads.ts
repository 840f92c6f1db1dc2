import type {
  BadRow,
  Dialect,
  FileModel,
  TableFile,
  UploadFile,
  UploadJob,
  Validation,
} from '@trellis/contract/uploads/uploads.schemas'
import type * as z from 'zod/mini'
import { daysFromNow } from './fake-company.ts'

export interface FakeUploads {
  files: UploadFile[]
  jobs: UploadJob[]
  loads: (z.infer<typeof TableFile> & { table: string })[]
  parts: Map<string, Set<number>>
  /** Bad rows by file name, for the next validation. */
  badRows: Record<string, BadRow[]>
  partBytes: number
  /** Number of failures per part before it is accepted. */
  lostParts: Map<number, number>
  patience: number
  tables: Record<string, FileModel['table_columns']>
  diff: Validation['diff']
}

export const FAKE_FILE = 'a0000000-0000-4000-8000-000000000001'

export const DIALECT: Dialect = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ';',
  quote: '"',
  has_header: true,
  skip_lines: 0,
  null_tokens: ['', 'NULL'],
  decimal_comma: true,
  date_order: 'dmy',
  sheet: null,
}

export const HEADERS = ['Order ID', 'Customer', 'Amount', 'Placed'] as const
export const SAMPLE: (string | null)[][] = [
  ['1001', 'Adler', '12,50', '31.03.2024'],
  ['1002', 'Baptiste', '1.204,00', '01.04.2024'],
  ['1003', null, 'n/a', '02.04.2024'],
  ['1004', 'Chen', '7,90', '30.02.2024'],
]

export const uploadFile = (more: Partial<UploadFile> = {}): UploadFile => ({
  file_id: FAKE_FILE,
  integration_trellis_code: 'w-northwind-growth-db',
  schema_name: 'public',
  table_name: null,
  mode: 'new',
  original_filename: 'orders.csv',
  size_bytes: 1200,
  received_bytes: 1200,
  part_bytes: 512,
  received_parts: [1, 2, 3],
  state: 'profiled',
  dialect: DIALECT,
  rows: 1204,
  loaded_rows: null,
  is_taken_back: false,
  on_bad_rows: 'stop',
  validation: null,
  latest_job_id: null,
  uploaded_by: 'Ada Lovelace',
  created_at: daysFromNow(-0.02),
  delivered_at: null,
  ...more,
})

const badRow = (row: number, column: string, { value, reason }: { value: string; reason: string }): BadRow => ({
  row,
  line: row + 1,
  column,
  value,
  reason,
})

export const THREE_BAD_ROWS = [
  badRow(3, 'amount', { value: 'n/a', reason: 'Not a decimal number' }),
  badRow(4, 'placed', { value: '30.02.2024', reason: 'This day does not exist' }),
  badRow(877, 'amount', { value: 'twelve', reason: 'Not a decimal number' }),
]

export function createUploads(change: Partial<FakeUploads> = {}): FakeUploads {
  return {
    files: [
      uploadFile({ file_id: 'a0000000-0000-4000-8000-0000000000a1' }),
      uploadFile({
        file_id: 'a0000000-0000-4000-8000-0000000000a2',
        original_filename: 'customers.xlsx',
        state: 'delivered',
        table_name: 'customers',
        rows: 812,
        size_bytes: 88_000,
        delivered_at: daysFromNow(-2),
        created_at: daysFromNow(-2),
        uploaded_by: 'Grace Hopper',
      }),
      uploadFile({
        file_id: 'a0000000-0000-4000-8000-0000000000a3',
        original_filename: 'clicks.parquet',
        state: 'uploading',
        size_bytes: 9_400_000_000,
        received_bytes: 2_100_000_000,
        rows: null,
        dialect: null,
        created_at: daysFromNow(-1),
      }),
    ],
    jobs: [],
    loads: [],
    parts: new Map(),
    badRows: {},
    partBytes: 512,
    lostParts: new Map(),
    patience: 1,
    tables: {
      orders: [
        { name: 'order_id', type: 'bigint', is_nullable: false, is_primary_key: true },
        { name: 'customer', type: 'text', is_nullable: true, is_primary_key: false },
        { name: 'amount', type: 'numeric', is_nullable: true, is_primary_key: false },
        { name: 'placed', type: 'date', is_nullable: true, is_primary_key: false },
      ],
    },
    diff: {
      keys: ['order_id'],
      new_rows: 310,
      changed_rows: 24,
      same_rows: 870,
      missing_rows: 12,
      samples: [
        { kind: 'new', key: ['2001'], changes: [] },
        { kind: 'changed', key: ['1002'], changes: [{ column: 'amount', before: '1204.00', after: '1240.00' }] },
        { kind: 'missing', key: ['877'], changes: [] },
      ],
    },
    ...change,
  }
}
