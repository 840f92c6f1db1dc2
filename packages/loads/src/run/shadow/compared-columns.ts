import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Target } from '../../target.ts'
import type { WrittenColumn } from '../../plan/tables.ts'

/** SQL expressions of a common column in the row aliases `b` (staged) and `t` (table). */
export interface ComparedColumn {
  readonly name: string
  readonly stagedExpression: string
  readonly tableExpression: string
}

const toBaseType = (type: string) => type.replace(/\(.*?\)/, '')
const ROUNDED_TYPES = /^(?:timestamp|time|interval)/

/** Rounds like the table would. A numeric is rounded rather than cast, since an overflow must count as different. */
function roundToColumnType(value: string, stagedType: string, type: string): { value: string; isSameKind: boolean } {
  if (stagedType === type) return { value, isSameKind: true }
  if (toBaseType(stagedType) !== toBaseType(type)) return { value, isSameKind: false }
  const scale = /^numeric\(\d+,(-?\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return { value: `round(${value}, ${scale})`, isSameKind: true }
  return { value: ROUNDED_TYPES.test(type) ? `${value}::${type}` : value, isSameKind: true }
}

export function getComparedColumns(columns: readonly WrittenColumn[], target: Target): ComparedColumn[] {
  return columns.flatMap(({ name, postgres }) => {
    const column = target.columns.find((targetColumn) => targetColumn.name === name)
    if (!column) return []
    const [stagedColumn, tableColumn] = [`b.${quoteName(name)}`, `t.${quoteName(name)}`]
    const { value, isSameKind } = roundToColumnType(stagedColumn, postgres, column.type)
    const isComparable = isSameKind && column.isComparable
    return [
      {
        name,
        stagedExpression: isComparable ? value : `${value}::text`,
        tableExpression: isComparable ? tableColumn : `${tableColumn}::text`,
      },
    ]
  })
}

export function findUsableKey(
  key: readonly string[],
  { target, columns }: { target: Target; columns: readonly ComparedColumn[] },
): readonly string[] {
  const hasAllKeyColumns = key.length > 0 && key.every((name) => columns.some((column) => column.name === name))
  const uniqueKeys = [target.primaryKey, ...target.uniques].filter((names) => names.length > 0)
  return hasAllKeyColumns && uniqueKeys.some((names) => names.every((name) => key.includes(name))) ? key : []
}
