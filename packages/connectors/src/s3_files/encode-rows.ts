import type { Field, Value } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { WriteFormat } from '@trellis/table-files/write/file-formats'
import type { FileColumn } from '@trellis/table-files/write/table-stream'
import { writeParquet } from '@trellis/table-files/write/write-parquet'

const FORMATS = ['csv', 'jsonl', 'parquet'] as const satisfies readonly WriteFormat[]
export type FileFormat = (typeof FORMATS)[number]

export const toFileFormat = (format: unknown): FileFormat => FORMATS.find((candidate) => candidate === format) ?? 'csv'
type Rows = readonly (readonly Value[])[]

export async function encodeRows(format: FileFormat, fields: readonly Field[], rows: Rows): Promise<Uint8Array> {
  if (format === 'csv') return Buffer.from(toCsv(fields, rows))
  if (format === 'jsonl') return Buffer.from(toJsonLines(fields, rows))
  return await toParquet(fields, rows)
}

function toCsv(fields: readonly Field[], rows: Rows): string {
  const line = (cells: readonly Value[]) => `${cells.map(csvCell).join(',')}\n`
  return line(fields.map(({ name }) => name)) + rows.map(line).join('')
}

/** An empty string is quoted, NULL is not. */
function csvCell(value: Value): string {
  if (value === null) return ''
  const text = String(value)
  return text === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const RAW: readonly ColumnType[] = ['integer', 'decimal', 'json']

function toJsonLines(fields: readonly Field[], rows: Rows): string {
  const names = fields.map(({ name, type }) => ({ name: JSON.stringify(name), isRaw: RAW.includes(type) }))
  return rows
    .map((row) => `{${names.map(({ name, isRaw }, at) => `${name}:${toJson(row[at] ?? null, isRaw)}`).join(',')}}\n`)
    .join('')
}

/** Keeps the digits of long numbers; invalid JSON becomes a string. */
function toJson(value: Value, isRaw: boolean): string {
  if (!isRaw || typeof value !== 'string') return JSON.stringify(value)
  try {
    JSON.parse(value)
    return value.replaceAll(/[\n\r]/g, ' ')
  } catch {
    return JSON.stringify(value)
  }
}

const KINDS: Partial<Record<ColumnType, 'int64' | 'float64' | 'boolean' | 'date' | 'timestamp' | 'timestamptz'>> = {
  integer: 'int64',
  float: 'float64',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
}

/** Decimals of unknown scale are strings, so that nothing is rounded. */
async function toParquet(fields: readonly Field[], rows: Rows): Promise<Uint8Array> {
  const columns: FileColumn[] = fields.map(({ name, type }) => ({ name, type: { kind: KINDS[type] ?? 'text' } }))
  const batches = (async function* () {
    yield rows.map((row) => fields.map(({ type }, at) => toText(row[at] ?? null, type)))
  })()
  const chunks: Uint8Array[] = []
  for await (const chunk of writeParquet({ columns, batches })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function toText(value: Value, type: ColumnType): string | null {
  if (value === null) return null
  const text = String(value)
  if (type === 'timestamp') return text.replace('T', ' ')
  return type === 'timestamptz' ? toUtc(text) : text
}

function toUtc(text: string): string {
  const plain = text.replace('T', ' ').replace(/Z$/, '+00')
  if (/\+00(:?00)?$/.test(plain)) return plain.replace(/\+00:?00$/, '+00')
  const moment = new Date(/[+-]\d\d$/.test(text) ? `${text}:00` : text)
  return Number.isNaN(moment.getTime()) ? plain : moment.toISOString().replace('T', ' ').replace('Z', '+00')
}
