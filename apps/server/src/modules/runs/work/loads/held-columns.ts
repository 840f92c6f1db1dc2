import type { SchemaChange } from '@trellis/loads/plan/schema-change'
import type { Target } from '@trellis/loads/target'

/** The column whose type cannot change because a view depends on it. */
export function findFixedTypeColumn(
  change: SchemaChange,
  target: Pick<Target, 'fixedTypeColumns'> | undefined,
): string | undefined {
  const isTypeChange = change.kind === 'widen' || change.kind === 'narrow' || change.kind === 'convert'
  return isTypeChange && target?.fixedTypeColumns.includes(change.column) ? change.column : undefined
}

export function describeDependentViews({ views }: Pick<Target, 'views'>, column: string): string {
  const columnViews = views.filter((view) => view.column === column)
  // A view without columns may use the table's row type.
  const usingViews = columnViews.length > 0 ? columnViews : views.filter((view) => view.column === null)
  const names = [...new Set(usingViews.map(({ name }) => name))]
  const usedPart = columnViews.length > 0 ? column : 'the table'
  const consequence = `so that the type of ${column} can’t change`
  if (names.length === 0) {
    return `A foreign key, a trigger or another rule uses the table, ${consequence}. Remove it first, or keep the table.`
  }
  return names.length === 1
    ? `The view ${names[0]} uses ${usedPart}, ${consequence}. Drop the view first, or keep the table.`
    : `The views ${names.join(', ')} use ${usedPart}, ${consequence}. Drop them first, or keep the table.`
}
