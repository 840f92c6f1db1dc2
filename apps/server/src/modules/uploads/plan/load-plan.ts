import { createHash } from 'node:crypto'
import type { DataModel, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import type { RowRules, ValueRule } from '@trellis/table-files/read/copy-rows'
import { isPlainDelimiter } from '@trellis/table-files/read/separators'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import { buildValueRule } from '@trellis/table-files/profile/value-rule'
import type { StageColumn } from '@trellis/loads/stage'
import type { Target } from '@trellis/loads/target'
import { AppError } from '../../../platform/app-error.ts'
import { postgresType } from './data-model.ts'

export type LoadMode = UploadFile['mode']

export interface PlanColumn {
  readonly name: string
  readonly type: string
  readonly source: number
  readonly header: string
  readonly kind: ValueRule['kind']
}

export interface LoadPlan {
  readonly mode: LoadMode
  readonly columns: readonly PlanColumn[]
  readonly stage: readonly StageColumn[]
  readonly isLogged: boolean
  readonly required: readonly string[]
  readonly key: readonly string[]
  readonly indexes: readonly { readonly column: string; readonly method: 'btree' | 'hash' | 'brin' }[]
  readonly target: Target | undefined
  readonly isPassed: boolean
  readonly rules: RowRules
  /** Plans with the same one stage the same rows; they may differ in keys and indexes. */
  readonly rowsFingerprint: string
  readonly fingerprint: string
}

export interface PlanInput {
  readonly mode: LoadMode
  readonly model: DataModel
  readonly profile: FileProfile
  readonly target: Target | undefined
  readonly isSetNull: boolean
  readonly fileId: string
}

const KINDS: Record<string, ValueRule['kind']> = {
  text: 'text',
  bigint: 'number',
  numeric: 'number',
  'double precision': 'number',
  date: 'moment',
  timestamp: 'moment',
  timestamptz: 'moment',
  time: 'moment',
}

export function planLoad(input: PlanInput): LoadPlan {
  const columns = input.target ? columnsFor(input.target, input.model) : listNewColumns(input.model)
  const { target, mode, model, profile } = input
  const isWhole = mode === 'replace' && target && !target.isHeld
  const isLogged = mode === 'new' || (mode === 'replace' && !target?.isHeld)
  const stage = isWhole
    ? target.columns.map(({ name, type }) => ({ name, type }))
    : columns.map(({ name, type }) => ({ name, type }))
  const required = target
    ? target.columns
        .filter(({ name, isNullable }) => !isNullable && columns.some((column) => column.name === name))
        .map(({ name }) => name)
    : model.columns
        .filter((column) => !column.is_skipped && (!column.is_nullable || model.primary_keys.includes(column.name)))
        .map(({ name }) => name)
  const mapped = new Set(columns.map(({ name }) => name))
  if (mode === 'upsert') assertKeyMapped(target, mapped)
  const key = target
    ? target.primaryKey.every((name) => mapped.has(name))
      ? target.primaryKey
      : []
    : model.primary_keys
  const indexes = target ? [] : Object.entries(model.indexes).map(([column, method]) => ({ column, method }))
  const rules = {
    values: columns.map(({ source, kind }) => buildValueRule(source, kind, profile)),
    dateOrder: profile.dialect.date_order,
  }
  const isPassed = canPass(columns, profile)
  const plan = { mode, columns, stage, isLogged, required, key, indexes, target, rules, isPassed }
  return { ...plan, ...computeFingerprints(plan, input) }
}

function listNewColumns(model: DataModel): PlanColumn[] {
  return model.columns.flatMap((column) => {
    if (column.is_skipped || column.source === null) return []
    const type = postgresType(column.type)
    return [{ name: column.name, type, source: column.source, header: column.header, kind: KINDS[type] ?? 'other' }]
  })
}

function columnsFor(target: Target, model: DataModel): PlanColumn[] {
  const planColumns = model.columns.flatMap((column): PlanColumn[] => {
    if (column.is_skipped || column.source === null) return []
    const match = target.columns.find(({ name }) => name === column.name)
    if (!match) throw conflictError(`The table has no column "${column.name}". Choose another one, or leave it out.`)
    if (match.isGenerated) throw conflictError(`The column "${column.name}" is calculated by the table. Leave it out.`)
    const kind = match.isText ? 'text' : match.isNumber ? 'number' : match.isMoment ? 'moment' : 'other'
    return [{ name: match.name, type: match.type, source: column.source, header: column.header, kind }]
  })
  if (planColumns.length === 0) throw conflictError('No column of the file goes into the table. Map at least one.')
  const missingTargetColumn = target.columns.find(
    (column) =>
      !column.isNullable &&
      !column.hasDefault &&
      !column.isIdentity &&
      !column.isGenerated &&
      !planColumns.some(({ name }) => name === column.name),
  )
  if (missingTargetColumn)
    throw conflictError(
      `The column "${missingTargetColumn.name}" must have a value, and no column of the file is mapped to it.`,
    )
  return planColumns
}

/** Upsert needs the table's key. */
function assertKeyMapped(target: Target | undefined, mapped: ReadonlySet<string>): void {
  const missing = target?.primaryKey.find((name) => !mapped.has(name))
  if (missing === undefined) return
  throw conflictError(`"${missing}" is part of the key of the table. Map a column of the file to it, or append.`)
}

const conflictError = (detail: string) => new AppError('conflict', detail)

function canPass(columns: readonly PlanColumn[], profile: FileProfile): boolean {
  const { dialect } = profile
  if (dialect.format !== 'csv' || dialect.quote === '' || profile.has_tokens) return false
  if (!isPlainDelimiter(dialect.delimiter)) return false
  if (columns.length !== profile.columns.length) return false
  return columns.every(({ source, kind }) => {
    const column = profile.columns[source]
    if (kind === 'number') return !column?.is_grouped
    // COPY accepts words such as "today" as times, so only profiled values count.
    const seenFittingTypes: readonly string[] = column?.fitting_types ?? []
    return (
      kind !== 'moment' ||
      (!column?.is_grouped &&
        ['date', 'timestamp', 'timestamptz', 'time'].some((type) => seenFittingTypes.includes(type)))
    )
  })
}

function computeFingerprints(
  plan: Omit<LoadPlan, 'fingerprint' | 'rowsFingerprint'>,
  { fileId, isSetNull, profile }: PlanInput,
): Pick<LoadPlan, 'fingerprint' | 'rowsFingerprint'> {
  const { columns, stage, isLogged, required, key, indexes, mode, target } = plan
  const rows = [fileId, toSortedEntries(profile.dialect), columns, stage, isLogged]
  const all = [...rows, isSetNull, required, key, indexes, mode, target?.oid, target?.isHeld]
  return { rowsFingerprint: toHash(rows), fingerprint: toHash(all) }
}

/** A stored profile has its fields in another order. */
const toSortedEntries = (dialect: FileProfile['dialect']) =>
  Object.entries(dialect)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const toHash = (made: readonly unknown[]) => createHash('sha256').update(JSON.stringify(made)).digest('hex')
