import type { Value } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { FieldPacket } from 'mysql2'
import type { Cell } from './link.ts'

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``

const ESCAPED: Record<string, string> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\u001a': '\\Z',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
}
// eslint-disable-next-line no-control-regex
const SPECIAL = /[\0\n\r\u001a"'\\]/g
export const quoteText = (text: string): string => `'${text.replaceAll(SPECIAL, (sign) => ESCAPED[sign] ?? sign)}'`

const DECIMALS = new Set([0, 246])
const INTEGERS = new Set([1, 2, 3, 8, 9, 13])
const FLOATS = new Set([4, 5])
const DATES = new Set([10, 14])
const BIG = 8
const TIMESTAMP = 7
const DATETIME = 12
const BIT = 16
const JSON_TYPE = 245
const GEOMETRY = 255
const NOT_NULL = 1
const UNSIGNED = 32
const BINARY_CHARSET = 63
const TEXTS = new Set([249, 250, 251, 252, 253, 254, 15])

export interface ColumnKind {
  readonly type: ColumnType
  readonly isNullable: boolean
  readonly isBinary: boolean
  readonly select: (column: string) => string
  readonly convert: ((cell: Cell) => Value) | undefined
}

type Details = FieldPacket & { extendedFormat?: string; extendedTypeName?: string; characterSet?: number }

export function getColumnKind(field: FieldPacket): ColumnKind {
  const { columnType: code = -1, flags: given, extendedFormat, extendedTypeName, characterSet } = field as Details
  const flags = Number(given ?? 0)
  const isNullable = (flags & NOT_NULL) === 0
  const plain = { isNullable, isBinary: false, select: (column: string) => column, convert: undefined }
  if (code === JSON_TYPE || extendedFormat === 'json') return { ...plain, type: 'json' }
  if (extendedTypeName === 'uuid') return { ...plain, type: 'uuid' }
  if (code === GEOMETRY) return { ...plain, type: 'text', select: (column) => `st_astext(${column})` }
  if (code === BIT)
    return { ...plain, type: 'decimal', select: (column) => `cast(${column} as unsigned)`, convert: toTextValue }
  if (code === BIG && (flags & UNSIGNED) !== 0) return { ...plain, type: 'decimal', convert: toTextValue }
  if (INTEGERS.has(code)) return { ...plain, type: 'integer' }
  if (DECIMALS.has(code)) return { ...plain, type: 'decimal', convert: toTextValue }
  if (FLOATS.has(code)) return { ...plain, type: 'float' }
  // MySQL can store zero dates and impossible days, which become NULL.
  if (DATES.has(code)) return { ...plain, isNullable: true, type: 'date', convert: (cell) => realMoment(cell) }
  if (code === DATETIME) return { ...plain, isNullable: true, type: 'timestamp', convert: isoMoment }
  if (code === TIMESTAMP) return { ...plain, isNullable: true, type: 'timestamptz', convert: zonedMoment }
  if (TEXTS.has(code) && characterSet === BINARY_CHARSET) {
    return { ...plain, isBinary: true, type: 'text', convert: toHexText }
  }
  return { ...plain, type: 'text', convert: toTextValue }
}

const toTextValue = (cell: Cell): Value => (cell === null || typeof cell === 'string' ? cell : cell.toString())
const toHexText = (cell: Cell): Value =>
  cell === null ? null : `\\x${(Buffer.isBuffer(cell) ? cell : Buffer.from(String(cell))).toString('hex')}`
const realMoment = (cell: Cell): string | null => (typeof cell === 'string' && isRealDay(cell) ? cell : null)

/** With ALLOW_INVALID_DATES the server stores 2026-02-31 too. */
function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  const last = month === 2 && !isLeapYear(year) ? 28 : (DAYS_OF_MONTHS[month - 1] ?? 0)
  return year > 0 && day > 0 && day <= last
}
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeapYear = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const isoMoment = (cell: Cell): Value => realMoment(cell)?.replace(' ', 'T') ?? null
const zonedMoment = (cell: Cell): Value => {
  const moment = isoMoment(cell)
  return moment === null ? null : `${String(moment)}Z`
}

export interface SourceColumn {
  readonly name: string
  readonly type: ColumnType
  readonly isBinary: boolean
}

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const NUMBERS: readonly ColumnType[] = ['integer', 'decimal', 'float']
const TIMES: readonly ColumnType[] = ['date', 'timestamp', 'timestamptz']

export const isTime = (type: ColumnType): boolean => TIMES.includes(type)
export const canBeFollowed = ({ type, isBinary }: SourceColumn): boolean =>
  !isBinary && (type === 'text' || NUMBERS.includes(type) || isTime(type))

export function toLiteral({ name, type, isBinary }: SourceColumn, text: string): string {
  if (isBinary) return `x'${text.replace(/^\\x/, '').replaceAll(/[^0-9a-f]/gi, '')}'`
  if (isTime(type)) return quoteText(text.replace('T', ' ').replace(/(Z|\+00(:?00)?)$/, ''))
  if (!NUMBERS.includes(type)) return quoteText(text)
  if (NUMBER.test(text)) return text
  throw new ConnectorError('configuration', `“${text}” is no value of the column ${name}.`, {
    field: 'query.start',
    advice: 'Write numbers plainly and dates as 2026-01-31.',
  })
}
