import { type Cell, type Columns, rowAt } from './columns.ts'

export const toRows = (columns: Columns): Cell[][] =>
  Array.from({ length: columns.rowCount }, (_, row) => rowAt(columns, row))
