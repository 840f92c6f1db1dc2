import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { type Column, type Model, isDate, isMeasure, listDateColumns } from '../schema/model.ts'
import { toWords } from '../schema/names.ts'
import type { TimeUnit } from '../words/times.ts'
import { describeFilter, describeGroup, describeMeasure } from './describe.ts'
import {
  type Filter,
  type Group,
  type Measure,
  type Plan,
  getExpressionTable,
  toGroupKey,
  toMeasureKey,
} from './plan.ts'

type Option = Chip['options'][number]
const UNITS: readonly TimeUnit[] = ['day', 'week', 'month', 'quarter', 'year']
const LIMITS = [1, 3, 5, 10, 20, 50]
const MAX_OPTIONS = 15

/** The plan as editable chips; a chip's id does not depend on the choices made. */
export function buildChips(plan: Plan, choices: Readonly<Record<string, string>>): Chip[] {
  return listChips(plan).map((chip) => {
    const chosen = chip.options.find(({ value }) => value === choices[chip.id])
    return chosen ? { ...chip, value: chosen.value, label: chosen.label } : chip
  })
}

function listChips(plan: Plan): Chip[] {
  return [
    ...plan.measures.map((measure, at): Chip => {
      const options = listMeasures(measure).map((other) => ({
        value: toMeasureKey(other),
        label: describeMeasure(other),
      }))
      return toChip('measure', at, { label: describeMeasure(measure), value: toMeasureKey(measure), options })
    }),
    ...plan.groups.map((group, at): Chip => {
      const options = listGroups(plan, group).map((other) => ({
        value: toGroupKey(other),
        label: describeGroup(other),
      }))
      const none = { value: 'none', label: 'Do not group' }
      return toChip('group', at, { label: describeGroup(group), value: toGroupKey(group), options: [...options, none] })
    }),
    ...plan.filters.map((filter, at): Chip => {
      const kind = filter.kind === 'time' ? 'time' : 'filter'
      const value = filter.kind === 'time' ? filter.column.key : 'keep'
      return {
        ...toChip(kind, at, { label: describeFilter(filter), value, options: listFilterOptions(filter) }),
        id: `filter.${at}`,
      }
    }),
    ...(plan.limit === null ? [] : [toLimitChip(plan.limit)]),
  ]
}

function toChip(kind: Chip['kind'], at: number, chip: { label: string; value: string; options: Option[] }): Chip {
  return { id: `${kind}.${at}`, kind, words: '', ...chip, options: chip.options.slice(0, MAX_OPTIONS) }
}

const toLimitChip = (limit: number): Chip => ({
  id: 'limit',
  kind: 'limit',
  label: `the first ${limit}`,
  words: '',
  value: String(limit),
  options: [...new Set([...LIMITS, limit])]
    .toSorted((a, b) => a - b)
    .map((item) => ({ value: String(item), label: `the first ${item}` })),
})

function listMeasures(measure: Measure): Measure[] {
  const { expression } = measure
  const table = getExpressionTable(expression)
  const ownMeasures: Measure[] =
    expression.kind === 'rows' || expression.kind === 'metric'
      ? [measure]
      : (['sum', 'avg', 'median', 'min', 'max', 'count_distinct'] as const).map((aggregate) => ({
          aggregate,
          expression,
        }))
  const others = table.columns
    .filter((column) => isMeasure(column) && !(expression.kind === 'column' && expression.column === column))
    .map((column): Measure => ({ aggregate: 'sum', expression: { kind: 'column', column } }))
  const rows: Measure = { aggregate: 'count', expression: { kind: 'rows', table } }
  return expression.kind === 'rows' ? [...ownMeasures, ...others] : [...ownMeasures, ...others, rows]
}

function listGroups({ base }: Plan, group: Group): Group[] {
  if (group.kind === 'column' && group.unit !== null) {
    const { column } = group
    return UNITS.map((unit) => ({ kind: 'column', column, unit }))
  }
  const table = group.kind === 'table' ? group.table : group.column.table
  const columns = [...new Set([...table.columns, ...base.columns])].filter(
    (column) => (column.kind === 'text' || column.kind === 'boolean') && !column.isIdentifier,
  )
  const others = columns.map((column): Group => ({ kind: 'column', column, unit: null }))
  return [group, ...others.filter((other) => toGroupKey(other) !== toGroupKey(group))]
}

function listFilterOptions(filter: Filter): Option[] {
  const remove = { value: 'remove', label: 'Remove this condition' }
  if (filter.kind === 'time') {
    const dates = listDateColumns(filter.column.table)
    return [...dates.map((column) => ({ value: column.key, label: toWords(column.name) })), remove]
  }
  const turned = negateFilter(filter)
  return [
    { value: 'keep', label: describeFilter(filter) },
    ...(turned ? [{ value: 'negate', label: describeFilter(turned) }] : []),
    remove,
  ]
}

function negateFilter(filter: Filter): Filter | undefined {
  if (filter.kind === 'in' || filter.kind === 'exists') return { ...filter, isNegated: !filter.isNegated }
  if (filter.kind === 'boolean') return { ...filter, isTrue: !filter.isTrue }
  if (filter.kind === 'null') return { ...filter, isNull: !filter.isNull }
  return undefined
}

/** Choices without a chip are ignored: the question may have been edited since. */
export function applyChoices(model: Model, plan: Plan, choices: Readonly<Record<string, string>>): Plan {
  const measures = plan.measures.map((measure, at) => {
    const chosen = choices[`measure.${at}`]
    return listMeasures(measure).find((candidate) => toMeasureKey(candidate) === chosen) ?? measure
  })
  const groups = plan.groups.flatMap((group, at) => {
    const chosen = choices[`group.${at}`]
    if (chosen === 'none') return []
    return [listGroups(plan, group).find((candidate) => toGroupKey(candidate) === chosen) ?? group]
  })
  const filters = plan.filters.flatMap((filter, at) => changeFilter(model, filter, choices[`filter.${at}`]))
  const limit = Number(choices['limit'])
  const isLimit = plan.limit !== null && Number.isInteger(limit) && limit >= 1 && limit <= 1000
  return { ...plan, measures, groups, filters, limit: isLimit ? limit : plan.limit }
}

function changeFilter(model: Model, filter: Filter, chosen: string | undefined): Filter[] {
  if (chosen === 'remove') return []
  if (chosen === 'negate') return [negateFilter(filter) ?? filter]
  const column = filter.kind === 'time' && chosen !== undefined ? findDate(model, chosen) : undefined
  return filter.kind === 'time' && column ? [{ ...filter, column }] : [filter]
}

const findDate = (model: Model, key: string): Column | undefined =>
  model.tables.flatMap(({ columns }) => columns).find((column) => column.key === key && isDate(column))
