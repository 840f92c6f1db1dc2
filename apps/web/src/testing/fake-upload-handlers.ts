import type { DataModel, FileModel, UploadFile, UploadJob } from '@trellis/contract/uploads/uploads.schemas'
import { daysFromNow } from './fake-company.ts'
import { FakeError } from './fake-error.ts'
import type { Handler, Input } from './fake-handler.ts'
import { DIALECT, HEADERS, SAMPLE, uploadFile } from './fake-uploads.ts'
import type { FakeWorld } from './fake-world.ts'

const models = new WeakMap<FakeWorld, Map<string, DataModel>>()
const checks = new WeakMap<UploadJob, number>()
const count = { ids: 0 }
const nextId = () => `b0000000-0000-4000-8000-${String((count.ids += 1)).padStart(12, '0')}`

function getFile(world: FakeWorld, id: string | undefined): UploadFile {
  const file = world.uploads.files.find((candidate) => candidate.file_id === id)
  if (!file) throw new FakeError('not_found')
  return file
}

function startJob(world: FakeWorld, file: UploadFile, kind: UploadJob['kind']): UploadJob {
  const job: UploadJob = {
    job_id: nextId(),
    kind,
    status: 'in_progress',
    file_id: file.file_id,
    schema_name: file.schema_name,
    table_name: file.table_name,
    progress: { done_bytes: file.size_bytes / 2, total_bytes: file.size_bytes, rows: 600, step: 'Reading' },
    error: null,
    load: null,
    created_at: daysFromNow(0),
    finished_at: null,
  }
  job.progress.done_bytes = Math.trunc(job.progress.done_bytes)
  world.uploads.jobs.unshift(job)
  file.latest_job_id = job.job_id
  return job
}

function finish(world: FakeWorld, job: UploadJob): void {
  job.status = 'completed'
  job.finished_at = daysFromNow(0)
  if (job.kind === 'undo') {
    world.uploads.loads = world.uploads.loads.filter((load) => load.table !== job.table_name || !load.can_undo)
    return
  }
  const file = getFile(world, job.file_id ?? '')
  if (job.kind === 'pre_process') {
    file.state = 'profiled'
    file.dialect ??= DIALECT
    file.rows = 1204
  } else if (job.kind === 'validate') {
    const bad = world.uploads.badRows[file.original_filename] ?? []
    file.state = 'validated'
    file.validation = {
      rows: 1204,
      good_rows: 1204 - bad.length,
      bad_rows: bad.length,
      has_more_bad_rows: false,
      first_bad_rows: bad,
      diff: file.mode === 'new' ? null : world.uploads.diff,
      warnings: [],
    }
  } else deliver(world, file)
}

function deliver(world: FakeWorld, file: UploadFile): void {
  const badRow = file.validation?.bad_rows ?? 0
  file.state = 'delivered'
  file.delivered_at = daysFromNow(0)
  world.uploads.loads.unshift({
    load_id: nextId(),
    mode: file.mode,
    source: file.original_filename,
    rows: 1204 - (file.on_bad_rows === 'quarantine' ? badRow : 0),
    finished_at: daysFromNow(0),
    by: 'Ada Lovelace',
    can_undo: true,
    file_id: file.file_id,
    original_filename: file.original_filename,
    quarantined_rows: file.on_bad_rows === 'quarantine' ? badRow : 0,
    is_undone: false,
    table: file.table_name ?? '',
  })
}

function proposed(world: FakeWorld, table: string, mode: string): DataModel {
  const columns = world.uploads.tables[table]
  if (mode === 'new' || !columns) {
    const types = ['integer', 'text', 'decimal', 'date'] as const
    return {
      columns: HEADERS.map((header, source) => ({
        source,
        header,
        name: header.toLowerCase().replaceAll(' ', '_'),
        type: types[source] ?? 'text',
        is_nullable: true,
        is_skipped: false,
      })),
      primary_keys: [],
      indexes: {},
    }
  }
  return {
    columns: HEADERS.map((header, source) => {
      const name = header.toLowerCase().replaceAll(' ', '_')
      return {
        source,
        header,
        name,
        type: 'text' as const,
        is_nullable: true,
        is_skipped: !columns.some((column) => column.name === name),
      }
    }),
    primary_keys: [],
    indexes: {},
  }
}

function toFileModel(world: FakeWorld, input: Input): FileModel {
  const file = getFile(world, input.params['file_id'])
  const saved = models.get(world)?.get(file.file_id)
  const table = input.params['table_name'] ?? ''
  const mode = input.query['mode'] ?? file.mode
  return {
    file,
    data_model: saved ?? proposed(world, table, mode),
    columns: HEADERS.map((header, at) => ({
      header,
      fitting_types: at === 0 ? ['integer', 'decimal', 'text'] : ['text'],
      empty_values: at === 1 ? 14 : 0,
      longest: 12,
    })),
    sample: SAMPLE,
    profiled_rows: 1000,
    sheets: [],
    table_columns: mode === 'new' ? [] : (world.uploads.tables[table] ?? []),
    warnings: [],
    reasons: [],
    second_readings: [],
  }
}

export const uploadHandlers: Record<string, Handler> = {
  startUpload: (world, { body }) => {
    const { original_filename, size_bytes, schema_name, mode, table_name } = body as UploadFile
    const file = uploadFile({
      file_id: nextId(),
      original_filename,
      size_bytes,
      schema_name,
      mode,
      table_name: table_name ?? null,
      received_bytes: 0,
      received_parts: [],
      part_bytes: world.uploads.partBytes,
      state: 'uploading',
      dialect: null,
      rows: null,
      created_at: daysFromNow(0),
    })
    world.uploads.files.unshift(file)
    return file
  },
  sendPart: (world, { params }) => {
    const part = Number(params['part'])
    const lost = world.uploads.lostParts.get(part) ?? 0
    if (lost > 0) {
      world.uploads.lostParts.set(part, lost - 1)
      throw new FakeError('unavailable', { detail: 'The server is busy.' })
    }
    const file = getFile(world, params['file_id'])
    file.received_parts = [...new Set([...file.received_parts, part])].toSorted((a, b) => a - b)
    file.received_bytes = Math.min(file.size_bytes, file.received_parts.length * file.part_bytes)
    return file
  },
  finishUpload: (world, { params }) => {
    const file = getFile(world, params['file_id'])
    if (file.received_parts.length < Math.ceil(file.size_bytes / file.part_bytes)) throw new FakeError('conflict')
    file.state = 'uploaded'
    return file
  },
  preProcessFile: (world, { body }) => {
    const { file_id, dialect } = body as { file_id: string; dialect?: Partial<typeof DIALECT> }
    const file = getFile(world, file_id)
    if (dialect) file.dialect = { ...(file.dialect ?? DIALECT), ...dialect }
    return startJob(world, file, 'pre_process')
  },
  updateFile: (world, { body }) => {
    const { file_id, data_model, ...rest } = body as { file_id: string; data_model?: DataModel }
    const file = getFile(world, file_id)
    const { table_name } = rest as { table_name?: string }
    if (file.mode === 'new' && table_name && world.uploads.tables[table_name])
      throw new FakeError('conflict', {
        detail: 'There is a table with this name already.',
        source: { pointer: '/table_name' },
      })
    Object.assign(file, rest)
    if (data_model) {
      const known = models.get(world) ?? new Map<string, DataModel>()
      models.set(world, known.set(file_id, data_model))
    }
    return file
  },
  getDataModel: toFileModel,
  validateFile: (world, { body }) => startJob(world, getFile(world, (body as UploadFile).file_id), 'validate'),
  deliverData: (world, { body }) => startJob(world, getFile(world, (body as UploadFile).file_id), 'deliver'),
  undoLoad: (world, { body }) => {
    const { table_name, load_id } = body as { table_name: string; load_id: string }
    const load = world.uploads.loads.find((candidate) => candidate.load_id === load_id)
    if (!load?.can_undo) throw new FakeError('conflict')
    return { ...startJob(world, getFile(world, load.file_id ?? ''), 'undo'), table_name }
  },
  deleteFile: (world, { params }) => {
    const gone = getFile(world, params['file_id'])
    world.uploads.files = world.uploads.files.filter((file) => file !== gone)
    return { done: true }
  },
  getFileMetadata: (world, { params }) => getFile(world, params['file_id_table_id']),
  listBadRows: (world, { params }) => ({
    items: world.uploads.badRows[getFile(world, params['file_id']).original_filename] ?? [],
    next_after: null,
  }),
  listSchemaFiles: (world, { params }) =>
    world.uploads.files.filter((file) => file.schema_name === params['schema_name']),
  listTableFiles: (world, { params }) => world.uploads.loads.filter((load) => load.table === params['table_name']),
  getTableSchema: (world, { params }) => {
    const columns = world.uploads.tables[params['table_name'] ?? ''] ?? []
    return {
      schema_name: params['schema_name'],
      table_name: params['table_name'],
      columns: columns.map((column) => ({ ...column, has_default: false })),
      primary_keys: columns.filter((column) => column.is_primary_key).map((column) => column.name),
    }
  },
  getUploadJob: (world, { params }) => {
    const job = world.uploads.jobs.find((candidate) => candidate.job_id === params['job_id'])
    if (!job) throw new FakeError('not_found')
    const asked = (checks.get(job) ?? 0) + 1
    checks.set(job, asked)
    if (job.status === 'in_progress' && asked >= world.uploads.patience) finish(world, job)
    return job
  },
  cancelUploadJob: (world, { params }) => {
    const job = world.uploads.jobs.find((candidate) => candidate.job_id === params['job_id'])
    if (!job) throw new FakeError('not_found')
    job.status = 'cancelled'
    return job
  },
  listUploadJobs: (world, { query }) =>
    world.uploads.jobs.filter((job) => query['status'] === undefined || job.status === query['status']),
}
