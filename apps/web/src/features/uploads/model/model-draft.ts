import { MAX_COLUMNS, type ColumnType } from '@trellis/contract/explorer/column-types'
import { NewColumnName, NewTableName } from '@trellis/contract/explorer/names'
import type { DataModel, FileModel, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'

export type IndexKind = DataModel['indexes'][string]

export interface Problem {
  /** Null when it is about the whole model. */
  at: number | null
  text: string
}

const withColumn = (model: DataModel, at: number, column: ModelColumn): ModelColumn[] =>
  model.columns.map((oldColumn, index) => (index === at ? column : oldColumn))

const withoutIndex = (indexes: DataModel['indexes'], name: string) =>
  Object.fromEntries(Object.entries(indexes).filter(([column]) => column !== name))

/** Key and indexes refer to columns by name. */
export function renameColumn(model: DataModel, at: number, name: string): DataModel {
  const column = model.columns[at]
  if (!column) return model
  const index = model.indexes[column.name]
  const indexes = withoutIndex(model.indexes, column.name)
  return {
    columns: withColumn(model, at, { ...column, name }),
    primary_keys: model.primary_keys.map((key) => (key === column.name ? name : key)),
    indexes: index ? { ...indexes, [name]: index } : indexes,
  }
}

export function setType(model: DataModel, at: number, type: ColumnType): DataModel {
  const column = model.columns[at]
  return column ? { ...model, columns: withColumn(model, at, { ...column, type }) } : model
}

export function setAllToText(model: DataModel): DataModel {
  return { ...model, columns: model.columns.map((column) => ({ ...column, type: 'text' as const })) }
}

export function setNullable(model: DataModel, at: number, is_nullable: boolean): DataModel {
  const column = model.columns[at]
  return column ? { ...model, columns: withColumn(model, at, { ...column, is_nullable }) } : model
}

export function setSkipped(model: DataModel, at: number, is_skipped: boolean): DataModel {
  const column = model.columns[at]
  if (!column) return model
  const columns = withColumn(model, at, { ...column, is_skipped })
  if (!is_skipped) return { ...model, columns }
  return {
    columns,
    primary_keys: model.primary_keys.filter((key) => key !== column.name),
    indexes: withoutIndex(model.indexes, column.name),
  }
}

/** Primary key columns are required. */
export function setKey(model: DataModel, at: number, isKey: boolean): DataModel {
  const column = model.columns[at]
  if (!column) return model
  const others = model.primary_keys.filter((key) => key !== column.name)
  if (!isKey) return { ...model, primary_keys: others }
  return {
    ...model,
    columns: withColumn(model, at, { ...column, is_nullable: false }),
    primary_keys: [...others, column.name],
  }
}

export function setIndex(model: DataModel, at: number, kind: IndexKind | null): DataModel {
  const column = model.columns[at]
  if (!column) return model
  const rest = withoutIndex(model.indexes, column.name)
  return { ...model, indexes: kind === null ? rest : { ...rest, [column.name]: kind } }
}

export function findTableNameProblem(name: string): string | undefined {
  const parsed = NewTableName.safeParse(name)
  return parsed.success ? undefined : parsed.error.issues[0]?.message
}

export function findModelProblems({ columns }: DataModel): Problem[] {
  const used = columns.map((column, at) => ({ ...column, at })).filter((column) => !column.is_skipped)
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const { at, name } of used) {
    const parsed = NewColumnName.safeParse(name)
    if (!parsed.success) problems.push({ at, text: parsed.error.issues[0]?.message ?? 'Choose another name' })
    else if (seen.has(name)) problems.push({ at, text: 'Another column has this name' })
    seen.add(name)
  }
  if (used.every((column) => column.source === null))
    problems.push({ at: null, text: 'Every column is excluded. Keep at least one.' })
  if (used.length > MAX_COLUMNS)
    problems.push({ at: null, text: `A table may have at most ${MAX_COLUMNS} columns. Leave some out.` })
  return problems
}

/** Columns that are not in the file always fit. */
export function doesFit(column: ModelColumn, facts: FileModel['columns']): boolean {
  const known = column.source === null ? undefined : facts[column.source]
  return known === undefined || known.fitting_types.includes(column.type)
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
