import { COLUMN_TYPES, type ColumnType } from '@trellis/contract/explorer/column-types'
import type { DataModel, ModelColumn } from '@trellis/contract/uploads/uploads.schemas'
import { columnNames } from '@trellis/table-files/read/headers'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import type { Target } from '@trellis/loads/target'
import { AppError } from '../../../platform/app-error.ts'

export function proposeModel(profile: FileProfile, target: Target | undefined): DataModel {
  const names = columnNames(profile.columns.map((column) => column.header))
  const plain = profile.columns.map((column, source): ModelColumn => ({
    source,
    header: column.header,
    name: names[source] ?? `column_${source + 1}`,
    type: column.likely_type ?? column.fitting_types[0] ?? 'text',
    is_nullable: true,
    is_skipped: isUnused(column),
  }))
  if (!target) return { columns: plain, primary_keys: [], indexes: {} }
  const matches = matchColumns(plain, target)
  const mapped = plain.map((column, source): ModelColumn => {
    const match = matches.get(source)
    return match ? { ...column, ...toModelColumn(match) } : { ...column, is_skipped: true }
  })
  const used = new Set([...matches.values()].map((column) => column.name))
  const missing = listWritableColumns(target)
    .filter((column) => !used.has(column.name))
    .map((column): ModelColumn => ({ source: null, header: '', is_skipped: false, ...toModelColumn(column) }))
  return { columns: [...mapped, ...missing], primary_keys: [...target.primaryKey], indexes: {} }
}

/** Sheets that start in column C have two empty columns. */
const isUnused = ({ header, longest }: FileProfile['columns'][number]) => header.trim() === '' && longest === 0

type TargetColumn = Target['columns'][number]

const listWritableColumns = (target: Target) => target.columns.filter((column) => !column.isGenerated)

const toModelColumn = (column: TargetColumn) => ({
  name: column.name,
  type: nearestType(column.type),
  is_nullable: column.isNullable || column.hasDefault || column.isIdentity,
})

const WAYS: ((name: string) => string)[] = [
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
  const found = new Map<number, TargetColumn>()
  const used = new Set<string>()
  for (const way of WAYS) {
    const byName = new Map(
      listWritableColumns(target)
        .toReversed()
        .map((column) => [way(column.name), column]),
    )
    for (const column of columns) {
      if (column.source === null || found.has(column.source)) continue
      const match = byName.get(way(column.header)) ?? byName.get(way(column.name))
      if (!match || used.has(match.name) || way(match.name) === '') continue
      used.add(match.name)
      found.set(column.source, match)
    }
  }
  return found
}

const NEAREST: [RegExp, ColumnType][] = [
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

function nearestType(postgres: string): ColumnType {
  return NEAREST.find(([pattern]) => pattern.test(postgres))?.[1] ?? 'text'
}

const invalidModelError = (detail: string, pointer: string) =>
  new AppError('invalid_request', detail, { source: { pointer: `/data_model/${pointer}` } })

export function assertModel(model: DataModel, profile: FileProfile): void {
  const taken = new Set<string>()
  const sources = new Set<number>()
  const keptColumns = model.columns.filter((column) => !column.is_skipped)
  if (keptColumns.length === 0) throw invalidModelError('Keep at least one column.', 'columns')
  for (const [at, column] of model.columns.entries()) {
    if (column.source !== null && column.source >= profile.columns.length) {
      throw invalidModelError(`The file has no column at position ${column.source}.`, `columns/${at}/source`)
    }
    if (column.source !== null && sources.has(column.source)) {
      throw invalidModelError('A column of the file can be used once only.', `columns/${at}/source`)
    }
    if (column.source !== null) sources.add(column.source)
    if (column.is_skipped) continue
    if (taken.has(column.name))
      throw invalidModelError(`Two columns have the name "${column.name}".`, `columns/${at}/name`)
    taken.add(column.name)
  }
  for (const [at, key] of model.primary_keys.entries()) {
    if (!taken.has(key))
      throw invalidModelError(`The key names a column "${key}" that is not there.`, `primary_keys/${at}`)
  }
  for (const name of Object.keys(model.indexes)) {
    if (!taken.has(name)) throw invalidModelError(`The index names a column "${name}" that is not there.`, 'indexes')
  }
}

export const postgresType = (type: ColumnType): string => COLUMN_TYPES[type].postgres
