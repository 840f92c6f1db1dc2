import type { CatalogueColumn, CatalogueTable } from '../catalogue/find-table.ts'
import { WorkspaceDbError } from '../errors.ts'
import type { Session } from '../session.ts'

export const OPERATORS = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
} as const

export interface RowFilter {
  readonly column: string
  readonly operator: keyof typeof OPERATORS | 'contains' | 'starts_with' | 'in' | 'is_null' | 'is_not_null'
  readonly value?: string | undefined
}

export type AddParameter = (value: string, type: string) => string

export function createParameterList(values: (string | null)[]): AddParameter {
  return (value, type) => `$${values.push(value)}::${type}`
}

export const badValueError = (message: string) => new WorkspaceDbError({ code: 'bad_value', message })

export function getColumn(table: CatalogueTable, name: string): CatalogueColumn {
  const column = table.columns.find((candidate) => candidate.name === name)
  if (!column) throw badValueError(`The table has no column "${name.slice(0, 80)}".`)
  return column
}

export function toConditions(
  table: CatalogueTable,
  filters: readonly RowFilter[],
  addParameter: AddParameter,
): string[] {
  return filters.map((filter) => toCondition(getColumn(table, filter.column), filter, addParameter))
}

function toCondition(column: CatalogueColumn, { operator, value }: RowFilter, addParameter: AddParameter): string {
  const { quoted, castType } = column
  if (operator === 'is_null') return `${quoted} is null`
  if (operator === 'is_not_null') return `${quoted} is not null`
  if (value === undefined) throw badValueError(`The filter on "${column.name}" needs a value.`)
  if (operator === 'contains') return `strpos(lower(${quoted}::text), lower(${addParameter(value, 'text')})) > 0`
  if (operator === 'starts_with') return `starts_with(lower(${quoted}::text), lower(${addParameter(value, 'text')}))`
  // Types without an order have no equality either; compare as text.
  const isTyped = column.isSortable
  if (operator === 'in') {
    const list = `string_to_array(${addParameter(value.replaceAll('\r\n', '\n'), 'text')}, chr(10))`
    // An array of arrays is the same type as an array.
    return isTyped && !castType.endsWith('[]')
      ? `${quoted} = any(${list}::${castType}[])`
      : `${quoted}::text = any(${list})`
  }
  const comparedExpression = isTyped ? quoted : `${quoted}::text`
  return `${comparedExpression} ${OPERATORS[operator]} ${addParameter(value, isTyped ? castType : 'text')}`
}

const VALUE_FAULTS = /^22|^23514$|^42846$/

export async function checkFilters(
  session: Session,
  table: CatalogueTable,
  filters: readonly RowFilter[],
): Promise<void> {
  for (const filter of filters) {
    const values: string[] = []
    const [condition] = toConditions(table, [filter], createParameterList(values))
    const column = getColumn(table, filter.column)
    const text = `select ${condition} from (select null::${column.castType} as ${column.quoted}) none`
    await session.query({ text, values }).catch((fault: unknown) => {
      if (!isValueFault(fault)) throw fault
      const shownValue = (filter.value ?? '').replaceAll('\0', '').slice(0, 60)
      throw badValueError(`"${shownValue}" does not fit the column "${column.name}", which is ${column.type}.`)
    })
  }
}

const isValueFault = (fault: unknown) => fault instanceof WorkspaceDbError && VALUE_FAULTS.test(fault.sqlState ?? '')

/** Called after a failure, to find the invalid filter. */
export async function explainValueFault(
  session: Session,
  table: CatalogueTable,
  { filters, fault }: { filters: readonly RowFilter[]; fault: unknown },
): Promise<unknown> {
  if (isValueFault(fault)) await checkFilters(session, table, filters)
  return fault
}
