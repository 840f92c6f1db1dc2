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
  findTakenBack,
} from './uploads.repository.ts'
import { readProfileNames } from '../profile/names.service.ts'

export async function showFiles(ctx: WorkspaceCtx, rows: readonly FileRowData[]): Promise<UploadFile[]> {
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
  const takenBack = await findTakenBack(ctx, loadIds)
  return rows.map((row) => {
    const isTakenBack = takenBack.has(row.load_id ?? '')
    return {
      ...toFile(row, { uploadedBy: names.get(row.profile_id ?? -1), job: jobs.get(row.id) }),
      loaded_rows: isTakenBack ? 0 : (loadedRowCounts.get(row.load_id ?? '') ?? null),
      is_taken_back: isTakenBack,
    }
  })
}

export async function showFile(ctx: WorkspaceCtx, row: FileRowData): Promise<UploadFile> {
  const [file] = await showFiles(ctx, [row])
  return file as UploadFile
}

function toFile(
  row: FileRowData,
  more: { uploadedBy: string | undefined; job: JobRowData | undefined },
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
    latest_job_id: more.job?.id ?? null,
    uploaded_by: more.uploadedBy ?? null,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  }
}

const EMPTY = { done_bytes: 0, total_bytes: 0, rows: 0, step: 'Waiting' }

export function toJob(row: JobRowData): UploadJob {
  return {
    job_id: row.id,
    kind: row.kind,
    status: row.status,
    file_id: row.file_id,
    schema_name: row.schema_name,
    table_name: row.table_name,
    progress: { ...EMPTY, ...(row.progress as Partial<UploadJob['progress']>) },
    error: row.error,
    load: row.load as UploadJob['load'],
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
