import type { CatalogueColumn, CatalogueTable } from '../catalogue/find-table.ts'
import { WorkspaceDbError } from '../errors.ts'
import { quoteText } from '../identifiers.ts'
import type { Session } from '../session.ts'
import type { Batch, Statement } from '../session/portal.ts'
import {
  type AddParameter,
  type RowFilter,
  badValueError,
  getColumn,
  createParameterList,
  toConditions,
} from './filters.ts'

export interface RowSelection {
  readonly filters: readonly RowFilter[]
  readonly sort?: string | undefined
  readonly direction?: 'asc' | 'desc' | undefined
  readonly limit?: number | undefined
}

/** An alias, so that ORDER BY refers to the table's column. */
const ROW = '_row'

type ColumnExpression = (column: CatalogueColumn) => string

const readAsStored: ColumnExpression = ({ quoted }) => `${ROW}.${quoted}`
/** COPY writes t and f. */
const readBooleanAsWord: ColumnExpression = (column) =>
  column.castType === 'boolean' ? `${readAsStored(column)}::text as ${column.quoted}` : readAsStored(column)

const FORMULA_FREE_TYPE = /^(?:smallint|integer|bigint|numeric|real|double|money|oid|date|time|interval|uuid|boolean)/
/** CSV injection: spreadsheets evaluate such cells, except plain numbers. */
const FORMULA_NAME = /^[=+\-@\t\r]/

/** Of FORMULA_NAME. For each cell, a regular expression takes ten times as long. */
const FORMULA_CODES = Array.from('=+-@\t\r', (character) => character.charCodeAt(0))

const NUMBER_PATTERN = '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'

const readFormulaSafe: ColumnExpression = (column) => {
  const { castType, quoted } = column
  const name = FORMULA_NAME.test(quoted.slice(1)) ? `"'${quoted.slice(1)}` : quoted
  if (castType === 'boolean') return `${readAsStored(column)}::text as ${name}`
  if (FORMULA_FREE_TYPE.test(castType)) return `${readAsStored(column)} as ${name}`
  const text = `${readAsStored(column)}::text`
  const isFormula = `pg_catalog.ascii(${text}) in (${FORMULA_CODES.join(', ')}) and ${text} !~ '${NUMBER_PATTERN}'`
  return `case when ${isFormula} then '''' || ${text} else ${text} end as ${name}`
}

function buildSelect(
  table: CatalogueTable,
  selection: RowSelection,
  { addParameter, toExpression = readAsStored }: { addParameter: AddParameter; toExpression?: ColumnExpression },
): string {
  const conditions = toConditions(table, selection.filters, addParameter)
  const sort = selection.sort === undefined ? undefined : getColumn(table, selection.sort)
  const columns = table.columns.map(toExpression).join(', ')
  return [
    `select ${columns} from ${table.quoted} as ${ROW}`,
    conditions.length > 0 ? `where ${conditions.join(' and ')}` : '',
    sort ? `order by ${ROW}.${sort.quoted} ${selection.direction === 'desc' ? 'desc' : 'asc'}` : '',
    selection.limit === undefined ? '' : `limit ${addParameter(String(selection.limit), 'bigint')}`,
  ].join(' ')
}

/** COPY takes no parameters. With settings instead of literals the planner would not know how many rows there are. */
const addLiteral: AddParameter = (value, type) => {
  if (value.includes('\0')) throw badValueError('A filter can not look for zero characters: the database holds none.')
  return `${quoteText(value)}::${type}`
}

const COPY_OPTIONS = {
  csv: 'format csv, header true',
  // Control characters never occur in JSON, so nothing is quoted twice.
  jsonl: String.raw`format csv, delimiter e'\x02', quote e'\x01', escape e'\x01'`,
} as const

export type CopyFormat = keyof typeof COPY_OPTIONS

export async function* copyRows(
  session: Session,
  table: CatalogueTable,
  { format, isFormulaSafe = false, ...selection }: RowSelection & { format: CopyFormat; isFormulaSafe?: boolean },
): AsyncGenerator<Uint8Array, number, undefined> {
  const select = buildSelect(table, selection, {
    addParameter: addLiteral,
    toExpression: format !== 'csv' ? readAsStored : isFormulaSafe ? readFormulaSafe : readBooleanAsWord,
  })
  const source =
    format === 'jsonl' ? `select translate(row_to_json(_line.*)::text, e'\\n\\r', '  ') from (${select}) _line` : select
  return yield* session.copyOut(`copy (${source}) to stdout with (${COPY_OPTIONS[format]})`)
}

export async function* streamRows(
  session: Session,
  table: CatalogueTable,
  selection: RowSelection,
): AsyncGenerator<Batch['rows'], void, undefined> {
  const values: string[] = []
  const statement: Statement = {
    text: buildSelect(table, selection, { addParameter: createParameterList(values) }),
    values,
  }
  const batches = session.stream(statement)
  for (;;) {
    const step = await batches.next()
    if (step.done) {
      if (step.value.cutAt)
        throw new WorkspaceDbError({ code: 'result_too_large', message: 'There are too many rows.' })
      return
    }
    yield step.value.rows
  }
}
