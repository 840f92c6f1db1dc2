import type { Value } from '@trellis/connector-kit/batch'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { FileDialect } from '@trellis/table-files/read/dialect'

type Dialect = Pick<FileDialect, 'decimal_comma' | 'date_order'>

/** What becomes of the text of a cell in a column of this type. The type was found by looking at every cell. */
export function cellReader(type: ColumnType, dialect: Dialect): (cell: string) => Value {
  switch (type) {
    case 'integer':
      return (cell) => (Number.isSafeInteger(Number(cell)) ? Number(cell) : cell.trim())
    case 'decimal':
      return (cell) => plainNumber(cell, dialect)
    case 'float':
      return (cell) => numberOrText(plainNumber(cell, dialect))
    case 'boolean':
      return (cell) => /^(?:t|true|y|yes|on)$/i.test(cell)
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return (cell) => moment(cell, type, dialect)
    default:
      return (cell) => cell
  }
}

function plainNumber(cell: string, { decimal_comma }: Dialect): string {
  const text = cell.trim()
  return decimal_comma ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
}

const numberOrText = (text: string): Value => (Number.isFinite(Number(text)) ? Number(text) : text)

const MOMENT =
  /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/

function moment(cell: string, type: 'date' | 'timestamp' | 'timestamptz', { date_order }: Dialect): string {
  const parts = MOMENT.exec(cell.trim())
  if (!parts) return cell
  const [, a = '', b = '', c = '', time = '00:00:00', zone = 'Z'] = parts
  const [year, month, day] = a.length === 4 ? [a, b, c] : date_order === 'mdy' ? [c, a, b] : [c, b, a]
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`
  if (type === 'date') return date
  const clock = time.length === 5 ? `${time}:00` : time
  return type === 'timestamp' ? `${date}T${clock}` : `${date}T${clock}${zone}`
}

/** The narrowest type that holds what two files have in a column of the same name. */
export function commonType(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a
  for (const ladder of LADDERS) {
    const [at, bt] = [ladder.indexOf(a), ladder.indexOf(b)]
    if (at >= 0 && bt >= 0) return ladder[Math.max(at, bt)] as ColumnType
  }
  return 'text'
}
const LADDERS: readonly (readonly ColumnType[])[] = [
  ['integer', 'decimal', 'float'],
  ['date', 'timestamp', 'timestamptz'],
]
