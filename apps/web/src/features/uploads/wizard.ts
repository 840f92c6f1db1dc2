import type { UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'

export type LoadMode = UploadFile['mode']
export type Step = 'file' | 'reading' | 'model' | 'checking' | 'result' | 'delivering' | 'done'

export const STEP_TITLES = ['File', 'Data model', 'Check', 'Deliver'] as const

const PLACES: Record<Step, number> = { file: 0, reading: 1, model: 1, checking: 2, result: 2, delivering: 3, done: 4 }

export const getStepIndex = (step: Step) => PLACES[step]

const UNDER_WAY = { pre_process: 'reading', validate: 'checking', deliver: 'delivering', undo: 'done' } as const

/** Derived from the file and its latest job, so a reload resumes at the same step. */
export function getStep(
  file: Pick<UploadFile, 'state'> | null,
  job: Pick<UploadJob, 'status' | 'kind'> | null,
  isBackAtModel: boolean,
): Step {
  if (!file || file.state === 'uploading') return 'file'
  if (file.state === 'delivered') return 'done'
  if (job?.status === 'in_progress') return UNDER_WAY[job.kind]
  if (file.state === 'uploaded') return 'reading'
  if (file.state === 'failed') return job === null || job.kind === 'pre_process' ? 'reading' : 'model'
  if (file.state === 'validated' && !isBackAtModel) return 'result'
  return 'model'
}

/** The step shown is the one before the failed job. */
export function getJobProblem(job: Pick<UploadJob, 'status' | 'kind' | 'error'> | null): string | null {
  if (job?.status !== 'failed') return null
  return job.error ?? 'It could not be finished.'
}

const TITLES: Record<UploadJob['kind'], string> = {
  pre_process: 'Reading the file',
  validate: 'Checking every row',
  deliver: 'Delivering the rows',
  undo: 'Undoing the load',
}
export const jobTitle = (kind: UploadJob['kind']) => TITLES[kind]

export function computeJobShare({ progress }: Pick<UploadJob, 'progress'>): number {
  return progress.total_bytes === 0 ? 0 : Math.min(1, progress.done_bytes / progress.total_bytes)
}

export const MODE_TITLES: Record<LoadMode, string> = {
  new: 'New table from a file',
  append: 'Append a file',
  replace: 'Replace the rows',
  upsert: 'Upsert a file',
}

const STATE_TEXTS: Record<
  UploadFile['state'],
  { text: string; tone: 'neutral' | 'success' | 'warning' | 'danger' | 'info' }
> = {
  uploading: { text: 'Upload incomplete', tone: 'warning' },
  uploaded: { text: 'Sent', tone: 'info' },
  profiled: { text: 'Read', tone: 'info' },
  validated: { text: 'Checked', tone: 'info' },
  delivered: { text: 'Delivered', tone: 'success' },
  failed: { text: 'Not readable', tone: 'danger' },
}

export function formatUploadState(file: Pick<UploadFile, 'state' | 'is_taken_back'>) {
  return file.is_taken_back ? ({ text: 'Undone', tone: 'neutral' } as const) : STATE_TEXTS[file.state]
}

export function getRowCount(file: Pick<UploadFile, 'state' | 'rows' | 'loaded_rows'>): number | null {
  return file.state === 'delivered' ? (file.loaded_rows ?? file.rows) : file.rows
}

export const isOpenFile = (file: Pick<UploadFile, 'state'>) => file.state !== 'delivered'
