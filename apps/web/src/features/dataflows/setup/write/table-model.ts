import { COLUMN_TYPE_NAMES, type ColumnType } from '@trellis/contract/explorer/column-types'
import { NewColumnName } from '@trellis/contract/explorer/names'
import type { INDEX_TYPES, SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import * as z from 'zod/mini'

export type IndexType = (typeof INDEX_TYPES)[number]

export const fieldNames = (model: SourceDataModel): string[] => Object.keys(model.fields)

export const toColumnName = (model: SourceDataModel, field: string): string => model.column_mapping[field] ?? field

/** The source's current fields with the saved settings. Fields missing at the source stay visible. */
export function mergeModel(sourceDataModel: SourceDataModel, settled: SourceDataModel | null): SourceDataModel {
  if (!settled) return sourceDataModel
  return {
    // In the source's order: jsonb does not keep it.
    fields: { ...sourceDataModel.fields, ...settled.fields },
    column_mapping: settled.column_mapping,
    primary_keys: settled.primary_keys,
    indexes: settled.indexes,
  }
}

export const setType = (model: SourceDataModel, field: string, type: ColumnType): SourceDataModel => ({
  ...model,
  fields: { ...model.fields, [field]: type },
})

export function setColumn(model: SourceDataModel, field: string, name: string): SourceDataModel {
  const { [field]: _old, ...others } = model.column_mapping
  return { ...model, column_mapping: name === field ? others : { ...others, [field]: name } }
}

export function setKey(model: SourceDataModel, field: string, isKey: boolean): SourceDataModel {
  const selected = isKey
    ? [...model.primary_keys, field]
    : model.primary_keys.filter((primaryKey) => primaryKey !== field)
  const primary_keys = fieldNames(model).filter((item) => selected.includes(item))
  return isKey ? setIndex({ ...model, primary_keys }, field, null) : { ...model, primary_keys }
}

export function setIndex(model: SourceDataModel, field: string, type: IndexType | null): SourceDataModel {
  const { [field]: _old, ...others } = model.indexes
  return { ...model, indexes: type === null ? others : { ...others, [field]: type } }
}

export function removeField(model: SourceDataModel, field: string): SourceDataModel {
  const without = <T>(parts: Record<string, T>) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => name !== field))
  return {
    fields: without(model.fields),
    column_mapping: without(model.column_mapping),
    primary_keys: model.primary_keys.filter((primaryKey) => primaryKey !== field),
    indexes: without(model.indexes),
  }
}

export function findColumnProblems(model: SourceDataModel): Record<string, string> {
  const names = fieldNames(model).map((field) => toColumnName(model, field))
  const problems: Record<string, string> = {}
  for (const field of fieldNames(model)) {
    const name = toColumnName(model, field)
    const parsed = z.safeParse(NewColumnName, name)
    if (!parsed.success) problems[field] = parsed.error.issues[0]?.message ?? 'Choose another name'
    else if (names.filter((candidate) => candidate === name).length > 1)
      problems[field] = 'Another column has this name'
  }
  return problems
}

const KNOWN: readonly string[] = COLUMN_TYPE_NAMES

/** Types without an equivalent become text. */
export function toDataModel(columns: readonly { name: string; type: string }[]): SourceDataModel {
  const fields = columns.map(({ name, type }) => [name, KNOWN.includes(type) ? type : 'text'] as const)
  return {
    fields: Object.fromEntries(fields) as SourceDataModel['fields'],
    column_mapping: {},
    primary_keys: [],
    indexes: {},
  }
}
