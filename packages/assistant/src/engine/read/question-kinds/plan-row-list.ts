import { findTableOfFilter } from '../../plan/plan.ts'
import { type Column, type Table, isDate, isMeasure, listDisplayColumns } from '../../schema/model.ts'
import { isPastForm } from '../../words/stem.ts'
import { listShownColumns } from '../column-hints.ts'
import type { PartialPlan } from '../partial-plan.ts'
import type { Mention } from '../find-mentions.ts'
import { getColumn } from '../scan-question.ts'
import type { PlanBuilder } from '../plan-builder.ts'

/** n_distinct of pg_stats is above zero for columns with few distinct values. */
const hasRepeatedValues = (column: Column): boolean =>
  column.kind === 'text' && column.distinct > 0 && !listDisplayColumns(column.table).includes(column)

/** "orders shipped" of `shipped_by`: a participle after the noun means that the column is filled. */
function addEventHappenedFilters(
  { filters }: PlanBuilder,
  shownMentions: readonly Mention[],
  entity: Mention | undefined,
): void {
  for (const mention of shownMentions) {
    const column = getColumn(mention)
    const isParticipleAfterEntity =
      entity !== undefined && mention.start > entity.start && isPastForm(mention.words.split(' ')[0] ?? '')
    if (column?.isNullable && isParticipleAfterEntity && !isMeasure(column))
      filters.push({ kind: 'null', column, isNull: false })
  }
}

/** "customers from Berlin": lists rows with the mentioned columns; values that many rows share are counted. */
export function planRowList(
  builder: PlanBuilder,
  entity: Mention | undefined,
  absentTable: Table | undefined,
): PartialPlan {
  const { question, filters, mentionRoles, listUnassignedMentions } = builder
  const [firstFilter] = filters
  const base =
    entity?.target.table ??
    listUnassignedMentions()[0]?.target.table ??
    (firstFilter && findTableOfFilter(firstFilter)) ??
    absentTable ??
    question.mentions[0]?.target.table
  if (!base) return { base }
  if (entity) mentionRoles.set(entity, 'entity')
  const shownMentions = listUnassignedMentions().filter((mention) => {
    const column = getColumn(mention)
    return column !== undefined && column.table === base && !isDate(column)
  })
  for (const mention of shownMentions) mentionRoles.set(mention, 'entity')
  const columns = shownMentions.flatMap((mention) => getColumn(mention) ?? [])
  addEventHappenedFilters(builder, shownMentions, entity)
  const entityColumn = entity && getColumn(entity)
  if (entityColumn && hasRepeatedValues(entityColumn)) {
    // A value that many rows share is listed once, with its row count.
    builder.groups.push({ kind: 'column', column: entityColumn, unit: null })
    builder.measures.push({ aggregate: 'count', expression: { kind: 'rows', table: base } })
    return { base }
  }
  if (entityColumn) return { base, columns: [entityColumn, ...columns] }
  const isColumnBeforeEntity = entity !== undefined && shownMentions.some((mention) => mention.start < entity.start)
  return { base, columns: isColumnBeforeEntity ? columns : listShownColumns(base, columns) }
}
