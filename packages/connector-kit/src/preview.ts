import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type {
  ColumnStatistics,
  SourceDataModel,
  SourcePreview,
} from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'
import type { Value } from './batch.ts'
import type { Reading } from './connector.ts'
import { readBatchRows } from './copy-text.ts'
import { findCandidateKeys } from './preview-keys.ts'

type Shape = Pick<Reading, 'fields' | 'key' | 'cursor'>
type Statistics = z.infer<typeof ColumnStatistics>
type Row = readonly Value[]

const MAX_CELL_LENGTH = 2000
/** Wide rows could make a response of hundreds of megabytes. */
const MAX_CHARACTERS = 2_000_000
const NUMBERS: readonly ColumnType[] = ['integer', 'decimal', 'float']
/** Floats are compared bit by bit, which makes a poor key. */
const NEVER_KEY: readonly ColumnType[] = ['json', 'float', 'boolean']
const CURSORS: readonly ColumnType[] = ['timestamptz', 'timestamp', 'date', 'integer']

export async function readPreview(reading: Reading, most: number): Promise<SourcePreview> {
  const rows: Row[] = []
  let characters = 0
  for await (const batch of reading.batches) {
    for (const row of readBatchRows(batch, reading.fields)) {
      characters += row.reduce<number>((sum, value) => sum + String(value ?? '').length, 0)
      const isFull = rows.length >= most || (characters > MAX_CHARACTERS && rows.length > 0)
      if (isFull) return toPreview(reading, { rows, isCut: true })
      rows.push(row)
    }
  }
  return toPreview(reading, { rows, isCut: false })
}

export function toPreview(shape: Shape, { rows, isCut }: { rows: readonly Row[]; isCut: boolean }): SourcePreview {
  const columns = computeStatistics(shape, rows)
  return {
    columns,
    rows: rows.map((row) => shape.fields.map((_, at) => formatValue(row[at] ?? null))),
    is_cut: isCut,
    declared_keys: [...shape.key],
    candidate_keys: findCandidateKeys(columns, rows),
    candidate_cursors: listCandidateCursors(columns, shape.cursor),
    data_model: toDataModel(shape),
    warnings: [],
  }
}

function formatValue(value: Value): string | null {
  if (value === null) return null
  const text = String(value)
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text
}

function computeStatistics({ fields }: Shape, rows: readonly Row[]): Statistics[] {
  return fields.map(({ name, type, isNullable }, at) => {
    const values = rows.map((row) => row[at] ?? null).filter((value) => value !== null)
    const texts = values.map(String)
    const distinct = new Set(texts).size
    const isUnique = rows.length > 0 && distinct === rows.length
    const [smallest = null, largest = null] = type === 'json' ? [] : findMinAndMax(type, texts)
    return {
      name,
      type,
      is_nullable: isNullable,
      nulls: rows.length - values.length,
      distinct,
      smallest: smallest === null ? null : formatValue(smallest),
      largest: largest === null ? null : formatValue(largest),
      can_be_key: isUnique && !NEVER_KEY.includes(type),
      can_be_cursor: CURSORS.includes(type) && values.length === rows.length && (type !== 'integer' || isUnique),
    }
  })
}

function findMinAndMax(type: ColumnType, texts: readonly string[]): [string?, string?] {
  const isNumber = NUMBERS.includes(type)
  const isLess = (a: string, b: string) => (isNumber ? Number(a) < Number(b) : a < b)
  let [smallest, largest] = [texts[0], texts[0]]
  if (smallest === undefined || largest === undefined) return []
  for (const text of texts) {
    if (isLess(text, smallest)) smallest = text
    if (isLess(largest, text)) largest = text
  }
  return [smallest, largest]
}

const UPDATED_NAME = /updat|modif|chang|edited/i
const TIME_NAME = /creat|insert|_at$|date|time|day/i

function listCandidateCursors(columns: readonly Statistics[], declared: string | null): string[] {
  const rank = (name: string) => (name === declared ? 0 : UPDATED_NAME.test(name) ? 1 : TIME_NAME.test(name) ? 2 : 3)
  const names = columns.filter(({ can_be_cursor }) => can_be_cursor).map(({ name }) => name)
  const all = declared === null ? names : [...new Set([declared, ...names])]
  return all.toSorted((a, b) => rank(a) - rank(b))
}

/** Keeps the source's names, and indexes the cursor unless it leads the key. */
export function toDataModel({ fields, key, cursor }: Shape): SourceDataModel {
  const isIndexed = cursor !== null && key[0] !== cursor
  return {
    fields: Object.fromEntries(fields.map(({ name, type }) => [name, type])),
    column_mapping: Object.fromEntries(toColumnNames(fields.map(({ name }) => name))),
    primary_keys: [...key],
    indexes: isIndexed ? { [cursor]: 'btree' } : {},
  }
}

const MAX_NAME_LENGTH = 59

export function toColumnNames(names: readonly string[]): [string, string][] {
  const taken = new Set<string>()
  return names.map((name) => {
    const plain = name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
    const start = /^[a-z]/.test(plain) ? plain : `c_${plain}`
    const base = start.slice(0, MAX_NAME_LENGTH).replace(/_$/, '')
    let unique = base
    for (let count = 2; taken.has(unique); count += 1) unique = `${base}_${count}`
    taken.add(unique)
    return [name, unique]
  })
}
