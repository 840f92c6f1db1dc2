import { type Cell, type Columns, getRow } from './columns.ts'

export const toRows = (columns: Columns): Cell[][] =>
  Array.from({ length: columns.rowCount }, (_, row) => getRow(columns, row))
