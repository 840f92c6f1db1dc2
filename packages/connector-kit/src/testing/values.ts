import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Batch, Field, Value } from '../batch.ts'

type Row = readonly Value[]

const DATE = /^\d{4,6}-\d{2}-\d{2}$/
const TIMESTAMP = /^\d{4,6}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?$/
const ZONED = /^\d{4,6}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)$/
const TIME = /^\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([+-]\d{2}(:?\d{2})?)?$/
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const DECIMAL = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$|^NaN$|^-?Infinity$/i

const matches = (pattern: RegExp) => (value: Value) => typeof value === 'string' && pattern.test(value)
const FITS: Record<ColumnType, (value: Value) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: (value) => (typeof value === 'number' ? Number.isSafeInteger(value) : matches(/^-?\d+$/)(value)),
  decimal: (value) => (typeof value === 'number' ? Number.isFinite(value) : matches(DECIMAL)(value)),
  float: (value) => typeof value === 'number' || matches(DECIMAL)(value),
  real: (value) => typeof value === 'number' || matches(DECIMAL)(value),
  boolean: (value) => typeof value === 'boolean',
  date: matches(DATE),
  timestamp: matches(TIMESTAMP),
  timestamptz: matches(ZONED),
  time: matches(TIME),
  interval: (value) => typeof value === 'string',
  uuid: matches(UUID),
  bytea: matches(/^\\x(?:[0-9a-f]{2})*$/),
  json: (value) => typeof value === 'string' && isJson(value),
}

export function findTypeMismatches(fields: readonly Field[], rows: readonly Row[]): string[] {
  const problems: string[] = []
  for (const [index, row] of rows.entries()) {
    if (row.length !== fields.length) problems.push(`row ${index} has ${row.length} values, not ${fields.length}`)
    for (const [column, field] of fields.entries()) {
      const value = row[column] ?? null
      const isFitting = value === null ? field.isNullable : FITS[field.type](value)
      if (!isFitting) problems.push(`row ${index}, ${field.name}: ${JSON.stringify(value)} is no ${field.type}`)
    }
    if (problems.length > 5) break
  }
  return problems
}

export function listRows(batch: Batch): readonly Row[] {
  if (batch.kind === 'rows') return batch.rows
  if (batch.kind === 'csv') return batch.rows()
  const lines = new TextDecoder().decode(batch.bytes).split('\n')
  return lines.slice(0, -1).map((line) => line.split('\t').map((cell) => (cell === '\\N' ? null : unescaped(cell))))
}

const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const unescaped = (cell: string) => cell.replaceAll(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Rows as an upsert by these columns would leave them. */
export function upsertRows(
  fields: readonly Field[],
  key: readonly string[],
  rows: readonly Row[],
): Map<string, string> {
  const places = key.map((name) => fields.findIndex((field) => field.name === name))
  return new Map(rows.map((row) => [JSON.stringify(places.map((index) => row[index])), JSON.stringify(row)]))
}
