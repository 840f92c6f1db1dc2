import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { DataModel, FileModel, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'

type TableColumn = FileModel['table_columns'][number]

const BY_POSTGRES: readonly (readonly [RegExp, ColumnType])[] = [
  [/^(bigint|integer|smallint|int[248]?)$/, 'integer'],
  [/^(numeric|decimal)/, 'decimal'],
  [/^(double precision|real|float)/, 'float'],
  [/^bool/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamptz|^timestamp.* with time zone/, 'timestamptz'],
  [/^timestamp/, 'timestamp'],
  [/^time/, 'time'],
  [/^uuid$/, 'uuid'],
  [/^jsonb?$/, 'json'],
]

export function toColumnType(postgresType: string): ColumnType {
  return BY_POSTGRES.find(([pattern]) => pattern.test(postgresType))?.[1] ?? 'text'
}

const isOfFile = (column: ModelColumn) => column.source !== null

/** Null skips the column. A column that was mapped there before is skipped. */
export function mapColumn(
  model: DataModel,
  { source, target }: { source: number; target: string | null },
  table: readonly TableColumn[],
): DataModel {
  const targetColumn = table.find((column) => column.name === target)
  const columns = model.columns.filter(isOfFile).map((column): ModelColumn => {
    if (column.source === source) {
      if (!targetColumn) return { ...column, is_skipped: true }
      return {
        ...column,
        name: targetColumn.name,
        type: toColumnType(targetColumn.type),
        is_nullable: targetColumn.is_nullable,
        is_skipped: false,
      }
    }
    return targetColumn && !column.is_skipped && column.name === targetColumn.name
      ? { ...column, is_skipped: true }
      : column
  })
  return { ...model, columns: [...columns, ...toUnmappedColumns(columns, table)] }
}

function toUnmappedColumns(columns: readonly ModelColumn[], table: readonly TableColumn[]): ModelColumn[] {
  const usedColumns = new Set(columns.filter((column) => !column.is_skipped).map((column) => column.name))
  return table
    .filter((column) => !usedColumns.has(column.name))
    .map((column) => ({
      source: null,
      header: '',
      name: column.name,
      type: toColumnType(column.type),
      is_nullable: column.is_nullable,
      is_skipped: false,
    }))
}

export function findUnmappedTableColumns(model: DataModel, table: readonly TableColumn[]): TableColumn[] {
  const usedColumns = new Set(
    model.columns.filter((column) => isOfFile(column) && !column.is_skipped).map((column) => column.name),
  )
  return table.filter((column) => !usedColumns.has(column.name))
}

const normalizeName = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

export function suggestTarget(header: string, free: readonly TableColumn[]): string | null {
  const word = normalizeName(header)
  if (word === '') return null
  const names = free.map((column) => ({ name: column.name, word: normalizeName(column.name) }))
  const name =
    names.find((candidate) => candidate.word === word) ??
    names.find((candidate) => Math.min(candidate.word.length, word.length) > 2 && isPart(candidate.word, word)) ??
    names.find((candidate) => getEditDistance(candidate.word, word) <= (word.length > 5 ? 2 : 1))
  return name?.name ?? null
}

const isPart = (a: string, b: string) => a.includes(b) || b.includes(a)

function getEditDistance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...a].entries()) {
    const now = [row + 1]
    for (const [index, other] of [...b].entries()) {
      now.push(
        Math.min(
          (before[index + 1] ?? 0) + 1,
          (now[index] ?? 0) + 1,
          (before[index] ?? 0) + (letter === other ? 0 : 1),
        ),
      )
    }
    before = now
  }
  return before.at(-1) ?? 0
}
