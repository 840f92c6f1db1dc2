import type { Dialect, FilePreview, PreProcess } from '@trellis/contract/uploads/uploads.schemas'
import type { ProfileOptions } from '@trellis/table-files/profile/file-profile'
import { previewFile } from '@trellis/table-files/profile/preview-file'
import { profileFile } from '@trellis/table-files/profile/profile-file'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openFileSource } from './file-parts.ts'
import { type FileWork, createByteSource } from './job-work.ts'
import { type InspectedFile, stageByForecast } from './stage-by-forecast.ts'
import { replaceBadRows, setFile } from './uploads.repository.ts'
import { assertComplete, getFile } from './uploads.service.ts'

export async function inspectFile(work: FileWork): Promise<void> {
  const { ctx, file, job, progress, signal } = work
  progress.step = 'Reading the file'
  const { dialect: givenDialect = {} } = job.request as { dialect?: Partial<Dialect> }
  const options = {
    given: JSON.parse(JSON.stringify(givenDialect)) as Partial<Dialect>,
    fileName: file.original_filename,
    signal,
    onProgress: (_bytes: number, rows: number) => (progress.rows = rows),
  }
  const {
    profile,
    stagedFrom,
    badRows = [],
  } = (await stageByForecast(work, options)) ?? (await profileWholeFile(work, options))
  signal.throwIfAborted()
  progress.rows = profile.rows
  await replaceBadRows(ctx, file, badRows)
  await setFile(ctx, file.id, {
    state: 'profiled',
    dialect: toJsonb(profile.dialect),
    profile: toJsonb(profile),
    rows: profile.rows,
    data_model: null,
    validation: null,
    staged_from: stagedFrom ? JSON.stringify(stagedFrom) : null,
  })
}

async function profileWholeFile(work: FileWork, options: ProfileOptions): Promise<InspectedFile> {
  work.progress.done_bytes = 0
  return { profile: await profileFile(createByteSource(work), options) }
}

const toJsonb = (value: object): string => JSON.stringify(value).replaceAll('\\u0000', '\u2400')

const PREVIEW_ROWS = 20
const PREVIEW_COLUMNS = 60

export async function previewUpload(ctx: WorkspaceCtx, body: z.infer<typeof PreProcess>): Promise<FilePreview> {
  const file = await getFile(ctx, body.file_id)
  assertComplete(file)
  const { profile, sheets, problem, lines } = await previewFile(openFileSource(ctx.ports.objects, file), {
    given: JSON.parse(JSON.stringify(body.dialect ?? {})) as Partial<Dialect>,
    fileName: file.original_filename,
    signal: ctx.http.signal,
  })
  return {
    dialect: profile ? ({ ...profile.dialect, null_tokens: [...profile.dialect.null_tokens] } as Dialect) : null,
    columns: (profile?.columns ?? [])
      .slice(0, PREVIEW_COLUMNS)
      .map(({ header, likely_type }) => ({ header, type: likely_type ?? 'text' })),
    rows: (profile?.sample ?? []).slice(0, PREVIEW_ROWS).map((row) => row.slice(0, PREVIEW_COLUMNS)),
    sheets: [...sheets],
    problem: problem ?? null,
    lines: [...lines],
  }
}
