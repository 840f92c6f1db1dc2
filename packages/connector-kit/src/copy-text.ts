import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Batch, Field, Value } from './batch.ts'

const NOTHING = String.raw`\N`
const LETTERS: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const ESCAPED: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', '\v': 'v', '\\': '\\' }

/** Parsing a COPY batch costs far more than passing it on. */
export function readBatchRows(batch: Batch, fields: readonly Field[]): readonly (readonly Value[])[] {
  if (batch.kind === 'copy') return decodeCopy(batch.bytes, fields)
  return batch.kind === 'csv' ? batch.rows() : batch.rows
}

export function decodeCopy(bytes: Uint8Array, fields: readonly Field[]): Value[][] {
  const text = new TextDecoder().decode(bytes)
  const readers = fields.map(({ type }) => READERS[type])
  const rows: Value[][] = []
  let from = 0
  for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
    rows.push(
      text
        .slice(from, end)
        .split('\t')
        .map((cell, at) => readCell(cell, readers[at] ?? asIs)),
    )
    from = end + 1
  }
  return rows
}

export const splitCopyLine = (line: string): (string | null)[] => line.split('\t').map(parseCell)

export function encodeCopy(rows: readonly (readonly Value[])[]): Uint8Array {
  let text = ''
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) {
      if (at > 0) text += '\t'
      text += formatCell(row[at] ?? null)
    }
    text += '\n'
  }
  return new TextEncoder().encode(text)
}

const asIs = (text: string): Value => text
const readCell = (cell: string, read: (text: string) => Value): Value => {
  const text = parseCell(cell)
  return text === null ? null : read(text)
}

function parseCell(cell: string): string | null {
  if (cell === NOTHING) return null
  return cell.includes('\\') ? cell.replaceAll(/\\(.)/gs, (_, letter: string) => LETTERS[letter] ?? letter) : cell
}

function formatCell(value: Value): string {
  if (value === null) return NOTHING
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return String(value)
  return SPECIAL.test(value) ? value.replaceAll(EVERY_SPECIAL, (sign) => `\\${ESCAPED[sign] ?? sign}`) : value
}
const SPECIAL = /[\b\f\n\r\t\v\\]/
const EVERY_SPECIAL = /[\b\f\n\r\t\v\\]/g

const toIsoTimestamp = (text: string) => text.replace(' ', 'T')
const READERS: Record<ColumnType, (text: string) => Value> = {
  text: asIs,
  integer: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text),
  decimal: asIs,
  float: (text) => (Number.isFinite(Number(text)) ? Number(text) : text),
  real: (text) => (Number.isFinite(Number(text)) ? Number(text) : text),
  boolean: (text) => text === 't',
  date: asIs,
  timestamp: toIsoTimestamp,
  timestamptz: (text) => toIsoTimestamp(text).replace(/\+00$/, 'Z'),
  time: asIs,
  interval: asIs,
  uuid: asIs,
  json: asIs,
  bytea: asIs,
}
