import type { DataModel, Dialect, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'
import { expect, test } from 'vitest'
import { parseNullTokens, formatNullTokens } from './dialect-choices.ts'
import { nameWarnings } from './file-name.ts'
import { toColumnType, mapColumn, suggestTarget, findUnmappedTableColumns } from './mapping.ts'
import {
  doesFit,
  findModelProblems,
  renameColumn,
  setIndex,
  setAllToText,
  setKey,
  setSkipped,
  suggestTableName,
  findTableNameProblem,
} from './model-draft.ts'

const column = (source: number | null, name: string, more: Partial<ModelColumn> = {}): ModelColumn => ({
  source,
  header: name,
  name,
  type: 'text',
  is_nullable: true,
  is_skipped: false,
  ...more,
})
const model = (...columns: ModelColumn[]): DataModel => ({ columns, primary_keys: [], indexes: {} })

test('keys and indexes follow a new name and go with a column left out', () => {
  let draft = setIndex(setKey(model(column(0, 'id'), column(1, 'city')), 0, true), 1, 'btree')
  expect(draft.columns[0]?.is_nullable).toBe(false)
  draft = renameColumn(renameColumn(draft, 0, 'order_id'), 1, 'town')
  expect(draft.primary_keys).toEqual(['order_id'])
  expect(draft.indexes).toEqual({ town: 'btree' })
  draft = setSkipped(setSkipped(draft, 0, true), 1, true)
  expect(draft.primary_keys).toEqual([])
  expect(draft.indexes).toEqual({})
})

test('what can’t be a table is said where it is', () => {
  const problems = findModelProblems(
    model(column(0, 'a'), column(1, 'a'), column(2, ''), column(3, 'ctid'), column(4, 'x', { is_skipped: true })),
  )
  expect(problems.map((problem) => problem.index)).toEqual([1, 2, 3])
  expect(problems[0]?.text).toBe('Another column has this name')
  expect(findModelProblems(model(column(0, 'a', { is_skipped: true })))).toEqual([
    { index: null, text: 'Every column is excluded. Keep at least one.' },
  ])
  const wide = model(...Array.from({ length: 1601 }, (_, at) => column(at, `c${at}`)))
  expect(findModelProblems(wide)[0]?.text).toContain('at most 1600')
})

test('all columns become text at once', () => {
  const wide = model(column(0, 'a'), column(1, 'b'))
  expect(setAllToText(wide).columns.map(({ type }) => type)).toEqual(['text', 'text'])
})

test('a type fits when every value seen does', () => {
  const facts = [{ header: 'a', fitting_types: ['integer' as const, 'text' as const], empty_values: 0, longest: 3 }]
  expect(doesFit(column(0, 'a', { type: 'integer' }), facts)).toBe(true)
  expect(doesFit(column(0, 'a', { type: 'date' }), facts)).toBe(false)
  expect(doesFit(column(null, 'b', { type: 'date' }), facts)).toBe(true)
})

test('a table is named after its file', () => {
  expect(suggestTableName('Umsätze 2024 (final).csv')).toBe('umsatze_2024_final')
  expect(suggestTableName('2024.xlsx')).toBe('t_2024')
  expect(suggestTableName('data.csv.gz')).toBe('data')
  expect(suggestTableName('!!!.csv')).toBe('new_table')
  expect(findTableNameProblem('orders')).toBeUndefined()
  expect(findTableNameProblem('ä'.repeat(32))).toContain('63 bytes')
})

const table = [
  { name: 'order_id', type: 'bigint', is_nullable: false, is_primary_key: true },
  { name: 'amount', type: 'numeric(12,2)', is_nullable: true, is_primary_key: false },
]

test('a column takes the place, the type and the rules of the table’s', () => {
  const start = model(column(0, 'nr', { is_skipped: true }), column(1, 'order_id'))
  const mapped = mapColumn(start, { source: 0, target: 'order_id' }, table)
  expect(mapped.columns[0]).toMatchObject({ name: 'order_id', type: 'integer', is_nullable: false, is_skipped: false })
  expect(mapped.columns[1]).toMatchObject({ source: 1, is_skipped: true })
  expect(findUnmappedTableColumns(mapped, table).map((unmappedTableColumn) => unmappedTableColumn.name)).toEqual([
    'amount',
  ])
  const cleared = mapColumn(mapped, { source: 0, target: null }, table)
  expect(findUnmappedTableColumns(cleared, table)).toHaveLength(2)
})

test('a renamed header finds its column', () => {
  expect(suggestTarget('Order-ID', table)).toBe('order_id')
  expect(suggestTarget('Amount (EUR)', table)).toBe('amount')
  expect(suggestTarget('ammount', table)).toBe('amount')
  expect(suggestTarget('colour', table)).toBeNull()
  expect(suggestTarget('???', table)).toBeNull()
})

test('Postgres types are read as what they hold', () => {
  expect(
    [
      'smallint',
      'numeric(8,2)',
      'real',
      'timestamp with time zone',
      'timestamp without time zone',
      'jsonb',
      'inet',
    ].map(toColumnType),
  ).toEqual(['integer', 'decimal', 'float', 'timestamptz', 'timestamp', 'json', 'text'])
})

test('an empty field is always among the words for no value', () => {
  expect(formatNullTokens(['', 'NULL', '-'])).toBe('NULL, -')
  expect(parseNullTokens('n/a,  NULL , n/a')).toEqual(['', 'n/a', 'NULL'])
})

test('a file that is not what its name says is called by what it is', () => {
  const dialect = (format: 'csv' | 'xlsx' | 'jsonl') => ({ format }) as Dialect
  const warned = (original_filename: string, format: 'csv' | 'xlsx' | 'jsonl') =>
    nameWarnings({ original_filename, dialect: dialect(format) })
  expect(warned('orders.xlsx', 'csv')).toEqual([
    'The name ends with .xlsx, but the file holds plain text with separated values and is read as that.',
  ])
  expect(warned('orders.csv', 'xlsx')[0]).toContain('an Excel workbook')
  expect(warned('orders.tsv.gz', 'csv')).toEqual([])
  expect(warned('orders', 'jsonl')).toEqual([])
})
