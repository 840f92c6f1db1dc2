/** A value as it goes in and comes out: dates and times are ISO texts, JSON is text, numbers that would not fit are texts. */
export type Cell = string | number | boolean | null

/** Numbers without a gap are a typed array, which costs next to nothing on the way; everything else is a list. */
export type ColumnData = Float64Array | readonly Cell[]

export interface Columns {
  readonly names: readonly string[]
  readonly data: readonly ColumnData[]
  readonly rowCount: number
}

/** Rows as columns; a column of numbers without a gap becomes a typed array. */
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

/** One row of columns. What is not a finite number is nothing: no column of a table could tell it apart. */
export const rowAt = ({ data }: Columns, row: number): Cell[] => data.map((column) => toCell(column[row]))

const toCell = (value: Cell | undefined): Cell =>
  value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value
