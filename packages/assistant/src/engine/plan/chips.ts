import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { type Column, type Model, isDate, isMeasure, listDateColumns } from '../schema/model.ts'
import { toReadableName } from '../schema/names.ts'
import type { TimeUnit } from '../words/times.ts'
import { describeFilter, describeGroup, describeMeasure } from './describe.ts'
import {
  type Filter,
  type Group,
  type Measure,
  type Plan,
  findTableOfExpression,
  toGroupKey,
  toMeasureKey,
} from './plan.ts'

type Option = Chip['options'][number]
const GROUP_TIME_UNITS: readonly TimeUnit[] = ['day', 'week', 'month', 'quarter', 'year']
const LIMIT_CHOICES = [1, 3, 5, 10, 20, 50]
const MAX_OPTIONS = 15

/** The plan as editable chips; a chip's id does not depend on the choices made. */
export function buildChips(plan: Plan, choices: Readonly<Record<string, string>>): Chip[] {
  return buildDefaultChips(plan).map((chip) => {
    const chosenOption = chip.options.find(({ value }) => value === choices[chip.id])
    return chosenOption ? { ...chip, value: chosenOption.value, label: chosenOption.label } : chip
  })
}

/** One chip per measure, group, filter and limit, each with the alternatives that can be chosen. */
function buildDefaultChips(plan: Plan): Chip[] {
  return [
    ...plan.measures.map((measure, index): Chip => {
      const options = listMeasureChoices(measure).map((other) => ({
        value: toMeasureKey(other),
        label: describeMeasure(other),
      }))
      return createChip('measure', index, { label: describeMeasure(measure), value: toMeasureKey(measure), options })
    }),
    ...plan.groups.map((group, index): Chip => {
      const options = listGroupChoices(plan, group).map((other) => ({
        value: toGroupKey(other),
        label: describeGroup(other),
      }))
      const none = { value: 'none', label: 'Do not group' }
      return createChip('group', index, {
        label: describeGroup(group),
        value: toGroupKey(group),
        options: [...options, none],
      })
    }),
    ...plan.filters.map((filter, index): Chip => {
      const kind = filter.kind === 'time' ? 'time' : 'filter'
      const value = filter.kind === 'time' ? filter.column.key : 'keep'
      return {
        ...createChip(kind, index, { label: describeFilter(filter), value, options: listFilterOptions(filter) }),
        id: `filter.${index}`,
      }
    }),
    ...(plan.limit === null ? [] : [toLimitChip(plan.limit)]),
  ]
}

function createChip(
  kind: Chip['kind'],
  index: number,
  chip: { label: string; value: string; options: Option[] },
): Chip {
  return { id: `${kind}.${index}`, kind, words: '', ...chip, options: chip.options.slice(0, MAX_OPTIONS) }
}

const toLimitChip = (limit: number): Chip => ({
  id: 'limit',
  kind: 'limit',
  label: `the first ${limit}`,
  words: '',
  value: String(limit),
  options: [...new Set([...LIMIT_CHOICES, limit])]
    .toSorted((a, b) => a - b)
    .map((item) => ({ value: String(item), label: `the first ${item}` })),
})

/** Other aggregates of the same column, sums of the table's other amounts, and the row count. */
function listMeasureChoices(measure: Measure): Measure[] {
  const { expression } = measure
  const table = findTableOfExpression(expression)
  const measuresOfExpression: Measure[] =
    expression.kind === 'rows' || expression.kind === 'metric'
      ? [measure]
      : (['sum', 'avg', 'median', 'min', 'max', 'count_distinct'] as const).map((aggregate) => ({
          aggregate,
          expression,
        }))
  const sumsOfOtherColumns = table.columns
    .filter((column) => isMeasure(column) && !(expression.kind === 'column' && expression.column === column))
    .map((column): Measure => ({ aggregate: 'sum', expression: { kind: 'column', column } }))
  const rowCount: Measure = { aggregate: 'count', expression: { kind: 'rows', table } }
  return expression.kind === 'rows'
    ? [...measuresOfExpression, ...sumsOfOtherColumns]
    : [...measuresOfExpression, ...sumsOfOtherColumns, rowCount]
}

/** Other units for a date ("by month", "by year"), other text columns for any other group. */
function listGroupChoices({ base }: Plan, group: Group): Group[] {
  if (group.kind === 'column' && group.unit !== null) {
    const { column } = group
    return GROUP_TIME_UNITS.map((unit) => ({ kind: 'column', column, unit }))
  }
  const table = group.kind === 'table' ? group.table : group.column.table
  const columns = [...new Set([...table.columns, ...base.columns])].filter(
    (column) => (column.kind === 'text' || column.kind === 'boolean') && !column.isIdentifier,
  )
  const otherGroups = columns.map((column): Group => ({ kind: 'column', column, unit: null }))
  return [group, ...otherGroups.filter((other) => toGroupKey(other) !== toGroupKey(group))]
}

function listFilterOptions(filter: Filter): Option[] {
  const remove = { value: 'remove', label: 'Remove this condition' }
  if (filter.kind === 'time') {
    const dates = listDateColumns(filter.column.table)
    return [...dates.map((column) => ({ value: column.key, label: toReadableName(column.name) })), remove]
  }
  const negated = negateFilter(filter)
  return [
    { value: 'keep', label: describeFilter(filter) },
    ...(negated ? [{ value: 'negate', label: describeFilter(negated) }] : []),
    remove,
  ]
}

/** "with orders" becomes "without orders"; undefined for filters without an opposite. */
function negateFilter(filter: Filter): Filter | undefined {
  if (filter.kind === 'in' || filter.kind === 'exists') return { ...filter, isNegated: !filter.isNegated }
  if (filter.kind === 'boolean') return { ...filter, isTrue: !filter.isTrue }
  if (filter.kind === 'null') return { ...filter, isNull: !filter.isNull }
  return undefined
}

/** Choices without a chip are ignored: the question may have been edited since. */
export function applyChoices(model: Model, plan: Plan, choices: Readonly<Record<string, string>>): Plan {
  const measures = plan.measures.map((measure, index) => {
    const chosenKey = choices[`measure.${index}`]
    return listMeasureChoices(measure).find((candidate) => toMeasureKey(candidate) === chosenKey) ?? measure
  })
  const groups = plan.groups.flatMap((group, index) => {
    const chosenKey = choices[`group.${index}`]
    if (chosenKey === 'none') return []
    return [listGroupChoices(plan, group).find((candidate) => toGroupKey(candidate) === chosenKey) ?? group]
  })
  const filters = plan.filters.flatMap((filter, index) => applyFilterChoice(model, filter, choices[`filter.${index}`]))
  const limit = Number(choices['limit'])
  const isValidLimit = plan.limit !== null && Number.isInteger(limit) && limit >= 1 && limit <= 1000
  return { ...plan, measures, groups, filters, limit: isValidLimit ? limit : plan.limit }
}

/** Removes or negates the filter, or moves a time filter to another date column. */
function applyFilterChoice(model: Model, filter: Filter, choice: string | undefined): Filter[] {
  if (choice === 'remove') return []
  if (choice === 'negate') return [negateFilter(filter) ?? filter]
  const column = filter.kind === 'time' && choice !== undefined ? findDateColumnByKey(model, choice) : undefined
  return filter.kind === 'time' && column ? [{ ...filter, column }] : [filter]
}

const findDateColumnByKey = (model: Model, key: string): Column | undefined =>
  model.tables.flatMap(({ columns }) => columns).find((column) => column.key === key && isDate(column))
