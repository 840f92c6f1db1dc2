import type { DataModel } from '@trellis/contract/uploads/uploads.schemas'
import type { FileProfile } from '@trellis/table-files/profile/file-profile'
import { type Target, findTarget, hasSchema } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import { AppError } from '../../../platform/app-error.ts'
import { proposeModel } from './data-model.ts'
import { type LoadMode, type LoadPlan, planLoad } from './load-plan.ts'
import type { FileRowData } from '../uploads.repository.ts'

export interface StagedFrom {
  readonly stage: string
  /** Missing in older ones. */
  readonly rowsFingerprint?: string
  /** Null until the rules of the table are checked. */
  readonly fingerprint: string | null
  readonly rows: number
  readonly goodRows: number
  readonly isNumbered: boolean
}

export function getProfile(file: FileRowData): FileProfile {
  if (!file.profile) throw new AppError('conflict', 'The file was not previewed yet. Start with the preview.')
  return file.profile as FileProfile
}

export const parseStagedFrom = (file: FileRowData): StagedFrom | undefined =>
  file.staged_from === null ? undefined : (JSON.parse(file.staged_from) as StagedFrom)

const NO_PRIMARY_KEY = 'The table has no primary key, so its rows can not be told apart. Append or replace instead.'

export async function findFileTarget(
  session: Session,
  file: Pick<FileRowData, 'schema_name'>,
  { mode, table }: { mode: LoadMode; table: string },
): Promise<Target | undefined> {
  if (!(await hasSchema(session, file.schema_name)))
    throw new AppError('not_found', `There is no schema "${file.schema_name}".`)
  if (mode === 'new') return undefined
  const target = await findTarget(session, { schema: file.schema_name, table })
  if (!target) throw new AppError('not_found', `There is no table "${table}" in "${file.schema_name}".`)
  if (mode === 'upsert' && target.primaryKey.length === 0) throw new AppError('conflict', NO_PRIMARY_KEY)
  return target
}

export async function planFile(session: Session, file: FileRowData): Promise<LoadPlan> {
  if (file.table_name === null) throw new AppError('conflict', 'Choose a name for the table first.')
  return await planProfile(session, file, { profile: getProfile(file), model: file.data_model as DataModel | null })
}

/** Without a model, the proposed one. */
export async function planProfile(
  session: Session,
  file: FileRowData,
  { profile, model: savedModel }: { profile: FileProfile; model: DataModel | null },
): Promise<LoadPlan> {
  const target = await findFileTarget(session, file, { mode: file.mode, table: file.table_name ?? '' })
  const model = savedModel ?? proposeModel(profile, target)
  const isSetNull = file.on_bad_rows === 'set_null'
  return planLoad({ mode: file.mode, model, profile, target, isSetNull, fileId: file.id })
}
