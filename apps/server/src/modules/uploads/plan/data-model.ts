import { COLUMN_TYPES, type ColumnType } from '@trellis/contract/explorer/column-types'
import type { DataModel, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'
import { columnNames } from '@trellis/table-files/read/headers'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Target } from '@trellis/loads/target'
import { AppError } from '../../../platform/app-error.ts'

export function proposeModel(profile: FileProfile, target: Target | undefined): DataModel {
  const names = columnNames(profile.columns.map((column) => column.header))
  const proposedColumns = profile.columns.map((column, source): ModelColumn => ({
    source,
    header: column.header,
    name: names[source] ?? `column_${source + 1}`,
    type: column.likely_type ?? column.fitting_types[0] ?? 'text',
    is_nullable: true,
    is_skipped: isUnused(column),
  }))
  if (!target) return { columns: proposedColumns, primary_keys: [], indexes: {} }
  const matches = matchColumns(proposedColumns, target)
  const mappedColumns = proposedColumns.map((column, source): ModelColumn => {
    const match = matches.get(source)
    return match ? { ...column, ...toModelColumn(match) } : { ...column, is_skipped: true }
  })
  const usedNames = new Set([...matches.values()].map((column) => column.name))
  const missingColumns = listWritableColumns(target)
    .filter((column) => !usedNames.has(column.name))
    .map((column): ModelColumn => ({ source: null, header: '', is_skipped: false, ...toModelColumn(column) }))
  return { columns: [...mappedColumns, ...missingColumns], primary_keys: [...target.primaryKey], indexes: {} }
}

/** Sheets that start in column C have two empty columns. */
const isUnused = ({ header, longest }: FileProfile['columns'][number]) => header.trim() === '' && longest === 0

type TargetColumn = Target['columns'][number]

const listWritableColumns = (target: Target) => target.columns.filter((column) => !column.isGenerated)

const toModelColumn = (column: TargetColumn) => ({
  name: column.name,
  type: toNearestType(column.type),
  is_nullable: column.isNullable || column.hasDefault || column.isIdentity,
})

const NAME_NORMALIZERS: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase().trim(),
  (name) =>
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
]

/** Matches exactly, then ignoring case, then by letters and digits. Each column is used once. */
function matchColumns(columns: readonly ModelColumn[], target: Target): Map<number, TargetColumn> {
  const matches = new Map<number, TargetColumn>()
  const usedNames = new Set<string>()
  for (const normalize of NAME_NORMALIZERS) {
    const byName = new Map(
      listWritableColumns(target)
        .toReversed()
        .map((column) => [normalize(column.name), column]),
    )
    for (const column of columns) {
      if (column.source === null || matches.has(column.source)) continue
      const match = byName.get(normalize(column.header)) ?? byName.get(normalize(column.name))
      if (!match || usedNames.has(match.name) || normalize(match.name) === '') continue
      usedNames.add(match.name)
      matches.set(column.source, match)
    }
  }
  return matches
}

const NEAREST_TYPES: [RegExp, ColumnType][] = [
  [/^(?:bigint|integer|smallint)$/, 'integer'],
  [/^numeric/, 'decimal'],
  [/^(?:double precision|real)$/, 'float'],
  [/^boolean$/, 'boolean'],
  [/^date$/, 'date'],
  [/^timestamp.* with time zone$/, 'timestamptz'],
  [/^timestamp/, 'timestamp'],
  [/^time/, 'time'],
  [/^uuid$/, 'uuid'],
  [/^jsonb?$/, 'json'],
]

function toNearestType(postgres: string): ColumnType {
  return NEAREST_TYPES.find(([pattern]) => pattern.test(postgres))?.[1] ?? 'text'
}

const invalidModelError = (detail: string, pointer: string) =>
  new AppError('invalid_request', detail, { source: { pointer: `/data_model/${pointer}` } })

export function assertModel(model: DataModel, profile: FileProfile): void {
  const takenNames = new Set<string>()
  const sources = new Set<number>()
  const keptColumns = model.columns.filter((column) => !column.is_skipped)
  if (keptColumns.length === 0) throw invalidModelError('Keep at least one column.', 'columns')
  for (const [index, column] of model.columns.entries()) {
    if (column.source !== null && column.source >= profile.columns.length) {
      throw invalidModelError(`The file has no column at position ${column.source}.`, `columns/${index}/source`)
    }
    if (column.source !== null && sources.has(column.source)) {
      throw invalidModelError('A column of the file can be used once only.', `columns/${index}/source`)
    }
    if (column.source !== null) sources.add(column.source)
    if (column.is_skipped) continue
    if (takenNames.has(column.name))
      throw invalidModelError(`Two columns have the name "${column.name}".`, `columns/${index}/name`)
    takenNames.add(column.name)
  }
  for (const [index, key] of model.primary_keys.entries()) {
    if (!takenNames.has(key))
      throw invalidModelError(`The key names a column "${key}" that is not there.`, `primary_keys/${index}`)
  }
  for (const name of Object.keys(model.indexes)) {
    if (!takenNames.has(name))
      throw invalidModelError(`The index names a column "${name}" that is not there.`, 'indexes')
  }
}

export const toPostgresType = (type: ColumnType): string => COLUMN_TYPES[type].postgres
