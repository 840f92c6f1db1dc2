import type { Value } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { FileDialect } from '@trellis/table-files/read/dialect'
import { isoMoment } from '@trellis/table-files/values/moments'
import { plainNumber } from '@trellis/table-files/values/numbers'

type Dialect = Pick<FileDialect, 'decimal_comma' | 'date_order'>

/** A value that does not fit the type stays text. */
export function createCellReader(type: ColumnType, { decimal_comma, date_order }: Dialect): (cell: string) => Value {
  switch (type) {
    case 'integer':
      return (cell) => parseWholeNumber(plainNumber(cell.trim(), decimal_comma))
    case 'decimal':
      return (cell) => plainNumber(cell.trim(), decimal_comma)
    case 'float':
    case 'real':
      return (cell) => toNumberOrText(plainNumber(cell.trim(), decimal_comma))
    case 'boolean':
      return (cell) => WORDS.get(cell.trim().toLowerCase()) ?? cell
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return (cell) => toTimestampText(cell, type, date_order)
    default:
      return (cell) => cell
  }
}

const WORDS = new Map([
  ...['t', 'true', 'y', 'yes', 'on'].map((word) => [word, true] as const),
  ...['f', 'false', 'n', 'no', 'off'].map((word) => [word, false] as const),
])

const parseWholeNumber = (text: string): Value => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)
const toNumberOrText = (text: string): Value => (Number.isFinite(Number(text)) ? Number(text) : text)

function toTimestampText(
  cell: string,
  type: 'date' | 'timestamp' | 'timestamptz',
  order: FileDialect['date_order'],
): string {
  const iso = isoMoment(cell, order)
  if (iso === undefined) return cell
  const [date = '', clock = '00:00:00'] = iso.split('T')
  if (type === 'date') return date
  const [, time = '', zone = ''] = /^(.*?)(Z|[+-]\d.*)?$/.exec(clock) ?? []
  return type === 'timestamp' ? `${date}T${time}` : `${date}T${time}${zone || 'Z'}`
}

export function findCommonType(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a
  for (const ladder of LADDERS) {
    const [at, bt] = [ladder.indexOf(a), ladder.indexOf(b)]
    if (at >= 0 && bt >= 0) return ladder[Math.max(at, bt)] as ColumnType
  }
  return 'text'
}
const LADDERS: readonly (readonly ColumnType[])[] = [
  ['integer', 'decimal', 'float'],
  ['real', 'float'],
  ['date', 'timestamp', 'timestamptz'],
]
