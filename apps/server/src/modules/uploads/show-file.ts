import {
  PART_BYTES,
  type UploadFile,
  type UploadJob,
  type Validation,
  type Dialect,
} from '@trellis/contract/uploads/uploads.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import {
  type FileRowData,
  type JobRowData,
  findLatestJobs,
  findLoadedRowCounts,
  findUndoneLoadIds,
} from './uploads.repository.ts'
import { readProfileNames } from '../profile/names.service.ts'

export async function toUploadFiles(ctx: WorkspaceCtx, rows: readonly FileRowData[]): Promise<UploadFile[]> {
  const [names, jobs] = [
    await readProfileNames(
      ctx,
      rows.map((row) => row.profile_id),
    ),
    await findLatestJobs(
      ctx,
      rows.map((row) => row.id),
    ),
  ]
  const loadIds = rows.flatMap(({ load_id }) => load_id ?? [])
  const loadedRowCounts = await findLoadedRowCounts(ctx, loadIds)
  const undoneLoadIds = await findUndoneLoadIds(ctx, loadIds)
  return rows.map((row) => {
    const isUndone = undoneLoadIds.has(row.load_id ?? '')
    return {
      ...toFile(row, { uploadedBy: names.get(row.profile_id ?? -1), job: jobs.get(row.id) }),
      loaded_rows: isUndone ? 0 : (loadedRowCounts.get(row.load_id ?? '') ?? null),
      is_taken_back: isUndone,
    }
  })
}

export async function toUploadFile(ctx: WorkspaceCtx, row: FileRowData): Promise<UploadFile> {
  const [file] = await toUploadFiles(ctx, [row])
  return file as UploadFile
}

function toFile(
  row: FileRowData,
  details: { uploadedBy: string | undefined; job: JobRowData | undefined },
): Omit<UploadFile, 'loaded_rows' | 'is_taken_back'> {
  const parts = row.parts as Record<string, number>
  return {
    file_id: row.id,
    integration_trellis_code: row.integration_code,
    schema_name: row.schema_name,
    table_name: row.table_name,
    mode: row.mode,
    original_filename: row.original_filename,
    size_bytes: row.size_bytes,
    received_bytes: Object.values(parts).reduce((sum, bytes) => sum + bytes, 0),
    part_bytes: PART_BYTES,
    received_parts: Object.keys(parts)
      .map(Number)
      .toSorted((a, b) => a - b),
    state: row.state,
    dialect: row.dialect as Dialect | null,
    rows: row.rows,
    on_bad_rows: row.on_bad_rows,
    validation: row.validation as Validation | null,
    latest_job_id: details.job?.id ?? null,
    uploaded_by: details.uploadedBy ?? null,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  }
}

const EMPTY_PROGRESS = { done_bytes: 0, total_bytes: 0, rows: 0, step: 'Waiting' }

export function toJob(row: JobRowData): UploadJob {
  return {
    job_id: row.id,
    kind: row.kind,
    status: row.status,
    file_id: row.file_id,
    schema_name: row.schema_name,
    table_name: row.table_name,
    progress: { ...EMPTY_PROGRESS, ...(row.progress as Partial<UploadJob['progress']>) },
    error: row.error,
    load: row.load as UploadJob['load'],
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
