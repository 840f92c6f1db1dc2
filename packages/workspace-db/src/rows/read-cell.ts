import type { CatalogueTable } from '../catalogue/find-table.ts'
import type { Session } from '../session.ts'
import type { Value } from '../session/portal.ts'
import { assertCtid, decodeKey } from './cursor.ts'
import {
  type RowFilter,
  badValueError,
  getColumn,
  toConditions,
  explainValueFault,
  createParameterList,
} from './filters.ts'

const MAX_CHARACTERS = 1_000_000

export interface WholeCell {
  readonly value: Value
  readonly bytes: number
  readonly isCut: boolean
}

export async function findCell(
  session: Session,
  table: CatalogueTable,
  { column, key }: { column: string; key: string },
): Promise<WholeCell | undefined> {
  const { quoted } = getColumn(table, column)
  const { kind, values } = decodeKey(key)
  const isKeyOfTable =
    kind === 'primary' ? values.length === table.primaryKey.length && values.length > 0 : table.hasPlaces
  if (!isKeyOfTable) throw badValueError('This is not the key of a row.')
  const where =
    kind === 'primary'
      ? table.primaryKey
          .map((keyColumn, index) => `${keyColumn.quoted} = $${index + 1}::${keyColumn.castType}`)
          .join(' and ')
      : 'ctid = $1::tid'
  const result = await session.query({
    text: `select left(${quoted}::text, ${MAX_CHARACTERS}), octet_length(${quoted}::text),
                  length(${quoted}::text) > ${MAX_CHARACTERS} from ${table.quoted} where ${where}`,
    values: kind === 'primary' ? values : [assertCtid(values[0])],
  })
  const [row] = result.rows
  return row && { value: row[0] ?? null, bytes: Number(row[1] ?? 0), isCut: row[2] === 't' }
}

export async function countRows(
  session: Session,
  table: CatalogueTable,
  filters: readonly RowFilter[],
): Promise<number> {
  const values: string[] = []
  const conditions = toConditions(table, filters, createParameterList(values))
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  try {
    const { rows } = await session.query({ text: `select count(*) from ${table.quoted}${where}`, values })
    return Number(rows[0]?.[0] ?? 0)
  } catch (fault) {
    throw await explainValueFault(session, table, { filters, fault })
  }
}
