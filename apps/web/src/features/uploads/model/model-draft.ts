import { MAX_COLUMNS, type ColumnType } from '@trellis/contract/explorer/column-types'
import { NewColumnName, NewTableName } from '@trellis/contract/explorer/names'
import type { DataModel, FileModel, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'

export type IndexKind = DataModel['indexes'][string]

export interface Problem {
  /** Null when it is about the whole model. */
  index: number | null
  text: string
}

const withColumn = (model: DataModel, position: number, column: ModelColumn): ModelColumn[] =>
  model.columns.map((oldColumn, index) => (index === position ? column : oldColumn))

const withoutIndex = (indexes: DataModel['indexes'], name: string) =>
  Object.fromEntries(Object.entries(indexes).filter(([column]) => column !== name))

/** Key and indexes refer to columns by name. */
export function renameColumn(model: DataModel, position: number, name: string): DataModel {
  const column = model.columns[position]
  if (!column) return model
  const index = model.indexes[column.name]
  const indexes = withoutIndex(model.indexes, column.name)
  return {
    columns: withColumn(model, position, { ...column, name }),
    primary_keys: model.primary_keys.map((key) => (key === column.name ? name : key)),
    indexes: index ? { ...indexes, [name]: index } : indexes,
  }
}

export function setType(model: DataModel, index: number, type: ColumnType): DataModel {
  const column = model.columns[index]
  return column ? { ...model, columns: withColumn(model, index, { ...column, type }) } : model
}

export function setAllToText(model: DataModel): DataModel {
  return { ...model, columns: model.columns.map((column) => ({ ...column, type: 'text' as const })) }
}

export function setNullable(model: DataModel, index: number, is_nullable: boolean): DataModel {
  const column = model.columns[index]
  return column ? { ...model, columns: withColumn(model, index, { ...column, is_nullable }) } : model
}

export function setSkipped(model: DataModel, index: number, is_skipped: boolean): DataModel {
  const column = model.columns[index]
  if (!column) return model
  const columns = withColumn(model, index, { ...column, is_skipped })
  if (!is_skipped) return { ...model, columns }
  return {
    columns,
    primary_keys: model.primary_keys.filter((key) => key !== column.name),
    indexes: withoutIndex(model.indexes, column.name),
  }
}

/** Primary key columns are required. */
export function setKey(model: DataModel, index: number, isKey: boolean): DataModel {
  const column = model.columns[index]
  if (!column) return model
  const otherNames = model.primary_keys.filter((key) => key !== column.name)
  if (!isKey) return { ...model, primary_keys: otherNames }
  return {
    ...model,
    columns: withColumn(model, index, { ...column, is_nullable: false }),
    primary_keys: [...otherNames, column.name],
  }
}

export function setIndex(model: DataModel, index: number, kind: IndexKind | null): DataModel {
  const column = model.columns[index]
  if (!column) return model
  const rest = withoutIndex(model.indexes, column.name)
  return { ...model, indexes: kind === null ? rest : { ...rest, [column.name]: kind } }
}

export function findTableNameProblem(name: string): string | undefined {
  const parsed = NewTableName.safeParse(name)
  return parsed.success ? undefined : parsed.error.issues[0]?.message
}

export function findModelProblems({ columns }: DataModel): Problem[] {
  const used = columns.map((column, index) => ({ ...column, at: index })).filter((column) => !column.is_skipped)
  const problems: Problem[] = []
  const usedNames = new Set<string>()
  for (const { at, name } of used) {
    const parsed = NewColumnName.safeParse(name)
    if (!parsed.success) problems.push({ index: at, text: parsed.error.issues[0]?.message ?? 'Choose another name' })
    else if (usedNames.has(name)) problems.push({ index: at, text: 'Another column has this name' })
    usedNames.add(name)
  }
  if (used.every((column) => column.source === null))
    problems.push({ index: null, text: 'Every column is excluded. Keep at least one.' })
  if (used.length > MAX_COLUMNS)
    problems.push({ index: null, text: `A table may have at most ${MAX_COLUMNS} columns. Leave some out.` })
  return problems
}

/** Columns that are not in the file always fit. */
export function doesFit(column: ModelColumn, facts: FileModel['columns']): boolean {
  const columnFacts = column.source === null ? undefined : facts[column.source]
  return columnFacts === undefined || columnFacts.fitting_types.includes(column.type)
}

/** `Umsatz 2024 (final).csv` becomes `umsatz_2024_final`. */
export function suggestTableName(fileName: string): string {
  const bare = fileName.replace(/(\.(csv|tsv|txt|jsonl|ndjson|json|xlsx|parquet|gz|zip))+$/i, '')
  const words = bare
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60)
  if (words === '') return 'new_table'
  return /^\d/.test(words) ? `t_${words}`.slice(0, 60) : words
}
