import { quoteIdentifier, quoteLiteral } from '../plan/quote.ts'
import type { Column, Model, Table } from '../schema/model.ts'
import type { ValueSearch } from './search-question.ts'

/** Each column scans its table. */
const MAX_COLUMNS = 60
const MAX_ROWS = 1_000_000
const MAX_VALUES = 5
const MAX_SHOWN_CHARS = 200

export interface SearchQuery {
  readonly sql: string | null
  readonly columns: readonly Column[]
  readonly leftOut: readonly Table[]
}

/** One query over all columns that can contain the value; tables that are too large are left out. */
export function buildSearchQuery(model: Model, { value, table }: ValueSearch): SearchQuery {
  const tables = table ? [table] : model.tables.filter(({ rows }) => (rows ?? 0) <= MAX_ROWS)
  const matchingColumns = tables.flatMap((other) => other.columns).filter((column) => canContain(column, value))
  const columns = matchingColumns.toSorted((a, b) => rankColumn(a, value) - rankColumn(b, value)).slice(0, MAX_COLUMNS)
  const leftOut = model.tables.filter(
    (other) => !table && other.columns.some((column) => canContain(column, value) && !columns.includes(column)),
  )
  const sql =
    columns.length === 0 ? null : columns.map((column) => buildColumnQuery(column, value)).join('\nunion all\n')
  return { sql, columns, leftOut }
}

const isInteger = (value: string): boolean => /^-?\d{1,18}$/.test(value)

const canContain = ({ kind }: Column, value: string): boolean =>
  kind === 'text' || (kind === 'integer' && isInteger(value))

/** Columns known to contain the value first, then those of small tables. */
function rankColumn({ values, table }: Column, value: string): number {
  const isSampleValue = values.some((item) => item.toLowerCase().includes(value.toLowerCase()))
  return isSampleValue ? -1 : (table.rows ?? 0)
}

function buildColumnQuery({ name, kind, table }: Column, value: string): string {
  const column = quoteIdentifier(name)
  const tableName = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`
  const condition =
    kind === 'integer' ? `${column} = ${value}` : `${column}::text ilike ${quoteLiteral(`%${escapePattern(value)}%`)}`
  return [
    `(select ${quoteLiteral(`${table.schema}.${table.name}`)} as table_name, ${quoteLiteral(name)} as column_name, left(${column}::text, ${MAX_SHOWN_CHARS}) as value, count(*) as rows`,
    `  from ${tableName} where ${condition} group by 3 order by 4 desc, 3 limit ${MAX_VALUES})`,
  ].join('\n')
}

const escapePattern = (value: string): string => value.replaceAll(/[\\%_]/g, '\\$&')
