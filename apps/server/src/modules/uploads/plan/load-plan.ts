import { createHash } from 'node:crypto'
import type { DataModel, UploadFile } from '@trellis/contract/uploads/uploads.schemas'
import type { RowRules, ValueRule } from '@trellis/table-files/read/copy-rows'
import { isPlainDelimiter } from '@trellis/table-files/read/separators'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import { buildValueRule } from '@trellis/table-files/profile/value-rule'
import type { StageColumn } from '@trellis/loads/stage'
import type { Target } from '@trellis/loads/target'
import { AppError } from '../../../platform/app-error.ts'
import { toPostgresType } from './data-model.ts'

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
  /** COPY reads the file's own text. */
  readonly isPassedThrough: boolean
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

const KIND_BY_TYPE: Record<string, ValueRule['kind']> = {
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
  const columns = input.target ? listTargetColumns(input.target, input.model) : listNewColumns(input.model)
  const { target, mode, model, profile } = input
  const isTableReplaced = mode === 'replace' && target && !target.hasDependents
  const isLogged = mode === 'new' || (mode === 'replace' && !target?.hasDependents)
  const stage = isTableReplaced
    ? target.columns.map(({ name, type }) => ({ name, type }))
    : columns.map(({ name, type }) => ({ name, type }))
  const required = target
    ? target.columns
        .filter(({ name, isNullable }) => !isNullable && columns.some((column) => column.name === name))
        .map(({ name }) => name)
    : model.columns
        .filter((column) => !column.is_skipped && (!column.is_nullable || model.primary_keys.includes(column.name)))
        .map(({ name }) => name)
  const mappedNames = new Set(columns.map(({ name }) => name))
  if (mode === 'upsert') assertKeyMapped(target, mappedNames)
  const key = target
    ? target.primaryKey.every((name) => mappedNames.has(name))
      ? target.primaryKey
      : []
    : model.primary_keys
  const indexes = target ? [] : Object.entries(model.indexes).map(([column, method]) => ({ column, method }))
  const rules = {
    values: columns.map(({ source, kind }) => buildValueRule(source, kind, profile)),
    dateOrder: profile.dialect.date_order,
  }
  const isPassedThrough = canPassThrough(columns, profile)
  const plan = { mode, columns, stage, isLogged, required, key, indexes, target, rules, isPassedThrough }
  return { ...plan, ...computeFingerprints(plan, input) }
}

function listNewColumns(model: DataModel): PlanColumn[] {
  return model.columns.flatMap((column) => {
    if (column.is_skipped || column.source === null) return []
    const type = toPostgresType(column.type)
    return [
      { name: column.name, type, source: column.source, header: column.header, kind: KIND_BY_TYPE[type] ?? 'other' },
    ]
  })
}

function listTargetColumns(target: Target, model: DataModel): PlanColumn[] {
  const planColumns = model.columns.flatMap((column): PlanColumn[] => {
    if (column.is_skipped || column.source === null) return []
    const match = target.columns.find(({ name }) => name === column.name)
    if (!match) throw conflictError(`The table has no column "${column.name}". Choose another one, or leave it out.`)
    if (match.isGenerated) throw conflictError(`The column "${column.name}" is calculated by the table. Leave it out.`)
    const kind = match.isText ? 'text' : match.isNumber ? 'number' : match.isMoment ? 'moment' : 'other'
    return [{ name: match.name, type: match.type, source: column.source, header: column.header, kind }]
  })
  if (planColumns.length === 0) throw conflictError('No column of the file goes into the table. Map at least one.')
  const unfilledColumn = target.columns.find(
    (column) =>
      !column.isNullable &&
      !column.hasDefault &&
      !column.isIdentity &&
      !column.isGenerated &&
      !planColumns.some(({ name }) => name === column.name),
  )
  if (unfilledColumn)
    throw conflictError(
      `The column "${unfilledColumn.name}" must have a value, and no column of the file is mapped to it.`,
    )
  return planColumns
}

/** Upsert needs the table's key. */
function assertKeyMapped(target: Target | undefined, mappedNames: ReadonlySet<string>): void {
  const missing = target?.primaryKey.find((name) => !mappedNames.has(name))
  if (missing === undefined) return
  throw conflictError(`"${missing}" is part of the key of the table. Map a column of the file to it, or append.`)
}

const conflictError = (detail: string) => new AppError('conflict', detail)

/** Whether Postgres may parse the file's own text: then it is not parsed and encoded here. */
function canPassThrough(columns: readonly PlanColumn[], profile: FileProfile): boolean {
  const { dialect } = profile
  if (dialect.format !== 'csv' || dialect.quote === '' || profile.has_tokens) return false
  if (!isPlainDelimiter(dialect.delimiter)) return false
  if (columns.length !== profile.columns.length) return false
  return columns.every(({ source, kind }) => {
    const column = profile.columns[source]
    if (kind === 'number') return !column?.is_grouped
    // COPY accepts words such as "today" as times, so only profiled values count.
    const fittingTypes: readonly string[] = column?.fitting_types ?? []
    return (
      kind !== 'moment' ||
      (!column?.is_grouped && ['date', 'timestamp', 'timestamptz', 'time'].some((type) => fittingTypes.includes(type)))
    )
  })
}

function computeFingerprints(
  plan: Omit<LoadPlan, 'fingerprint' | 'rowsFingerprint'>,
  { fileId, isSetNull, profile }: PlanInput,
): Pick<LoadPlan, 'fingerprint' | 'rowsFingerprint'> {
  const { columns, stage, isLogged, required, key, indexes, mode, target } = plan
  const rowsIdentity = [fileId, toSortedEntries(profile.dialect), columns, stage, isLogged]
  const planIdentity = [...rowsIdentity, isSetNull, required, key, indexes, mode, target?.oid, target?.hasDependents]
  return { rowsFingerprint: toHash(rowsIdentity), fingerprint: toHash(planIdentity) }
}

/** A stored profile has its fields in another order. */
const toSortedEntries = (dialect: FileProfile['dialect']) =>
  Object.entries(dialect)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const toHash = (values: readonly unknown[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex')
