import { quoteName } from '@trellis/workspace-db/identifiers'
import type { Target } from '../../target.ts'
import type { WrittenColumn } from '../../plan/tables.ts'

/** SQL expressions of a common column in the row aliases `b` (staged) and `t` (table). */
export interface ComparedColumn {
  readonly name: string
  readonly beside: string
  readonly there: string
}

const toBaseType = (type: string) => type.replace(/\(.*?\)/, '')
const ROUNDED = /^(?:timestamp|time|interval)/

/** Rounds like the table would. A numeric is rounded rather than cast, since an overflow must count as different. */
function asThere(value: string, own: string, type: string): { value: string; isSameKind: boolean } {
  if (own === type) return { value, isSameKind: true }
  if (toBaseType(own) !== toBaseType(type)) return { value, isSameKind: false }
  const scale = /^numeric\(\d+,(-?\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return { value: `round(${value}, ${scale})`, isSameKind: true }
  return { value: ROUNDED.test(type) ? `${value}::${type}` : value, isSameKind: true }
}

export function getComparedColumns(columns: readonly WrittenColumn[], target: Target): ComparedColumn[] {
  return columns.flatMap(({ name, postgres }) => {
    const column = target.columns.find((targetColumn) => targetColumn.name === name)
    if (!column) return []
    const [own, there] = [`b.${quoteName(name)}`, `t.${quoteName(name)}`]
    const { value, isSameKind } = asThere(own, postgres, column.type)
    const isComparable = isSameKind && column.isComparable
    return [{ name, beside: isComparable ? value : `${value}::text`, there: isComparable ? there : `${there}::text` }]
  })
}

export function findUsableKey(
  key: readonly string[],
  { target, columns }: { target: Target; columns: readonly ComparedColumn[] },
): readonly string[] {
  const isThere = key.length > 0 && key.every((name) => columns.some((column) => column.name === name))
  const rules = [target.primaryKey, ...target.uniques].filter((names) => names.length > 0)
  return isThere && rules.some((names) => names.every((name) => key.includes(name))) ? key : []
}
