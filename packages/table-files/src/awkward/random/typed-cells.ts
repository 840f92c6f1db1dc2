import type { FileProfile } from '../../profile/file-profile.ts'
import { loadCells } from '../load-cells.ts'
import { toNumber } from './compare-cells.ts'

export interface TypedCell {
  readonly kind: 'text' | 'number' | 'boolean' | 'moment' | 'json' | 'bytes'
  readonly text: string
}

export interface TypedFile {
  readonly bytes: Uint8Array
  readonly fileName: string
  readonly about: string
  readonly headers: readonly string[]
  readonly hasHeader: boolean
  readonly rows: readonly (readonly (TypedCell | null)[])[]
}

const NUMBERS = new Set(['integer', 'decimal', 'float', 'real'])
const MOMENTS = new Set(['date', 'time', 'timestamp', 'timestamptz', 'interval'])
const toMoment = (text: string) =>
  text
    .replace('T', ' ')
    .replace(/(\.\d*?)0+(?=\+|$)/, '$1')
    .replace(/\.(?=\+|$)/, '')
    .replace(/ 00:00:00$/, '')

function isSame(type: string, found: string | null, cell: TypedCell | null): boolean {
  if (cell === null) return found === null
  if (found === null) return cell.kind === 'text' && cell.text === ''
  if (type === 'text' && cell.kind !== 'number') return toMoment(found) === toMoment(cell.text)
  if (type === 'text' || NUMBERS.has(type)) {
    return toNumber(found) === toNumber(cell.text) && (cell.kind === 'number' || !/^0\d/.test(cell.text))
  }
  if (MOMENTS.has(type)) return toMoment(found) === toMoment(cell.text)
  if (type === 'boolean') return /^(?:t|y|on|1)/i.test(found) === /^(?:t|y|on|1)/i.test(cell.text)
  if (type === 'json') return isSameJson(found, cell)
  return found === cell.text
}

function isSameJson(found: string, { kind, text }: TypedCell): boolean {
  const meant: unknown = kind === 'text' ? text : JSON.parse(text)
  return JSON.stringify(JSON.parse(found)) === JSON.stringify(meant)
}

/** A difference without a warning. */
export async function findTypedFault(file: TypedFile): Promise<string | undefined> {
  const { profile, columns, rows, rejected } = await loadCells({ content: () => file.bytes, fileName: file.fileName })
  const about = () => JSON.stringify({ columns, rows: rows.slice(0, 3), dialect: profile.dialect })
  if (profile.warnings.length > 0 || isOtherOffered(profile, file.hasHeader)) return undefined
  const isFilled = (row: TypedFile['rows'][number]) => row.some((cell) => cell !== null && cell.text !== '')
  const expected = profile.dialect.format === 'xlsx' ? file.rows.filter(isFilled) : file.rows
  if (columns.length !== file.headers.length) return `${columns.length} columns for ${file.headers.length} ${about()}`
  if (rejected.length > 0 || rows.length !== expected.length)
    return `${rows.length} rows for ${expected.length} ${about()}`
  if (file.hasHeader && profile.columns.some(({ header }, at) => header !== file.headers[at]))
    return `headers ${about()}`
  for (const [line, row] of expected.entries()) {
    for (const [at, cell] of row.entries()) {
      const found = rows[line]?.[at] ?? null
      const type = columns[at]?.slice((columns[at]?.lastIndexOf(':') ?? 0) + 1) ?? ''
      if (!isSame(type, found, cell))
        return `cell ${line},${at}: ${JSON.stringify(cell)} is ${JSON.stringify(found)} ${about()}`
    }
  }
  return undefined
}

const isOtherOffered = ({ dialect, second_readings }: FileProfile, hasHeader: boolean) =>
  dialect.has_header !== hasHeader &&
  second_readings?.some((second) => second.dialect.has_header !== undefined) === true
