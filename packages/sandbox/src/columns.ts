/** JSON-safe: dates are ISO strings, JSON is text, numbers that could lose precision are strings. */
export type Cell = string | number | boolean | null

/** Numbers without nulls are a typed array, which transfers almost for free. */
export type ColumnData = Float64Array | readonly Cell[]

export interface Columns {
  readonly names: readonly string[]
  readonly data: readonly ColumnData[]
  readonly rowCount: number
}

export function toColumns(names: readonly string[], rows: readonly (readonly Cell[])[]): Columns {
  return { names, data: names.map((_, at) => toColumn(rows, at)), rowCount: rows.length }
}

function toColumn(rows: readonly (readonly Cell[])[], at: number): ColumnData {
  const numbers = new Float64Array(rows.length)
  for (let row = 0; row < rows.length; row += 1) {
    const value = rows[row]?.[at]
    if (typeof value !== 'number') return rows.map((cells) => cells[at] ?? null)
    numbers[row] = value
  }
  return numbers
}

export const getRow = ({ data }: Columns, row: number): Cell[] => data.map((column) => toCell(column[row]))

const toCell = (value: Cell | undefined): Cell =>
  value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value
