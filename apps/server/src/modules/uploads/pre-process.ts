import type { Dialect } from '@trellis/contract/uploads/uploads.schemas'
import { profileFile } from '@trellis/table-files/profile/profile-file'
import { type FileWork, sourceOf } from './job-work.ts'
import { replaceBadRows, setFile } from './uploads.repository.ts'

/** Reads the whole file once: how it is written, and what every column holds. */
export async function preProcess(work: FileWork): Promise<void> {
  const { ctx, file, job, progress, signal } = work
  progress.step = 'Reading the file'
  const { dialect: given = {} } = job.request as { dialect?: Partial<Dialect> }
  const profile = await profileFile(sourceOf(work), {
    given: JSON.parse(JSON.stringify(given)) as Partial<Dialect>,
    fileName: file.original_filename,
    signal,
    onProgress: (_bytes, rows) => (progress.rows = rows),
  })
  signal.throwIfAborted()
  progress.rows = profile.rows
  await replaceBadRows(ctx, file, [])
  await setFile(ctx, file.id, {
    state: 'profiled',
    dialect: toJsonb(profile.dialect),
    profile: toJsonb(profile),
    rows: profile.rows,
    data_model: null,
    validation: null,
    staged_from: null,
  })
}

/** Postgres keeps no zero byte, not even inside JSON; a header may have one. */
const toJsonb = (value: object): string => JSON.stringify(value).replaceAll('\\u0000', '\u2400')
