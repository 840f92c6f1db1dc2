import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { visibleName } from '../core/visible-text.ts'
import { COLUMN_TYPE_NAMES } from '../explorer/column-types.ts'
import {
  DatabaseParams,
  IntegrationCode,
  LoadSummary,
  SchemaParams,
  TableParams,
} from '../explorer/explorer.schemas.ts'
import { FILE_FORMATS } from '../explorer/file-formats.ts'
import { ObjectName, NewColumnName, NewTableName } from '../explorer/names.ts'

export { SchemaParams, TableParams }

/** Multipart upload; the last part may be smaller. */
export const PART_BYTES = 8 * 1024 * 1024
export const MAX_FILE_BYTES = 50 * 1024 ** 3
/** Bad rows that are listed; validation stops there. */
export const MAX_BAD_ROWS = 10_000

const FileId = z.uuid()
export const FileParams = z.extend(WorkspaceParams, { file_id: FileId })
export const PartParams = z.extend(FileParams, {
  part: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(10_000)),
})
export const DatabaseFileParams = z.extend(DatabaseParams, { file_id: FileId })
export const FileTableParams = z.extend(TableParams, { file_id: FileId })
export const FileOrTableParams = z.extend(DatabaseParams, { file_id_table_id: z.string().check(z.maxLength(64)) })
export const JobParams = z.extend(WorkspaceParams, { job_id: z.uuid() })

const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-874',
  'iso-8859-2',
  'koi8-r',
  'ibm866',
  'ibm850',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const
const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const
/** `upsert`: updates rows by primary key and inserts the others. */
const LOAD_MODES = ['new', 'append', 'replace', 'upsert'] as const
const BAD_ROW_CHOICES = ['stop', 'quarantine', 'set_null'] as const

export const Dialect = z.object({
  format: z.enum(FILE_FORMATS),
  encoding: z.enum(ENCODINGS),
  delimiter: z.string().check(z.length(1)),
  /** Empty when the file has no quotes. */
  quote: z.string().check(z.maxLength(1)),
  /** `\` when quotes are escaped as `\"`; empty when they are doubled. */
  escape: z.optional(z.enum(['', '\\'])),
  has_header: z.boolean(),
  /** Lines before the header. */
  skip_lines: z.int().check(z.minimum(0), z.maximum(1000)),
  null_tokens: z.array(z.string().check(z.maxLength(100))).check(z.maxLength(20)),
  /** Treat null words as NULL in text columns too. */
  null_words_in_text: z.optional(z.boolean()),
  /** Fill short rows with NULL instead of rejecting them. */
  fill_short_rows: z.optional(z.boolean()),
  /** Lines to ignore: `#` comments; `-` ruled lines between rows separated by `|`. */
  comment: z.optional(z.enum(['', '#', '-'])),
  decimal_comma: z.boolean(),
  date_order: z.enum(DATE_ORDERS),
  sheet: z.nullable(z.string()),
  /** Repeat the value of merged cells in each row. */
  fill_merged: z.optional(z.boolean()),
  /** The JSON field that holds the rows; empty when each object is a row. */
  records_at: z.optional(z.string().check(z.maxLength(200))),
})
export type Dialect = z.infer<typeof Dialect>

export const ModelColumn = z.object({
  /** Column index in the file from 0; null for a column that the file does not have. */
  source: z.nullable(z.int().check(z.minimum(0))),
  header: z.string(),
  name: NewColumnName,
  type: z.enum(COLUMN_TYPE_NAMES),
  is_nullable: z.boolean(),
  is_skipped: z.boolean(),
})
export type ModelColumn = z.infer<typeof ModelColumn>

export const DataModel = z.object({
  columns: z.array(ModelColumn).check(z.minLength(1), z.maxLength(1700)),
  primary_keys: z.array(ObjectName).check(z.maxLength(32)),
  indexes: z.record(z.string(), z.enum(['btree', 'hash', 'brin'])),
})
export type DataModel = z.infer<typeof DataModel>

const FILE_STATES = ['uploading', 'uploaded', 'profiled', 'validated', 'delivered', 'failed'] as const
export const UploadFile = z.object({
  file_id: z.string(),
  integration_trellis_code: z.string(),
  schema_name: z.string(),
  table_name: z.nullable(z.string()),
  mode: z.enum(LOAD_MODES),
  original_filename: z.string(),
  size_bytes: z.int(),
  received_bytes: z.int(),
  part_bytes: z.int(),
  received_parts: z.array(z.int()),
  state: z.enum(FILE_STATES),
  dialect: z.nullable(Dialect),
  rows: z.nullable(z.int()),
  /** Without rejected rows; 0 after a rollback. */
  loaded_rows: z.nullable(z.int()),
  is_taken_back: z.boolean(),
  on_bad_rows: z.enum(BAD_ROW_CHOICES),
  validation: z.nullable(z.lazy(() => Validation)),
  latest_job_id: z.nullable(z.string()),
  uploaded_by: z.nullable(z.string()),
  created_at: Instant,
  delivered_at: z.nullable(Instant),
})
export type UploadFile = z.infer<typeof UploadFile>

/** Result of reading the whole file with its data model. */
export const Validation = z.object({
  rows: z.int(),
  good_rows: z.int(),
  bad_rows: z.int(),
  /** Reading stopped at `MAX_BAD_ROWS`. */
  has_more_bad_rows: z.boolean(),
  first_bad_rows: z.array(z.lazy(() => BadRow)),
  /** Compared with the table by primary key; null for a new table or one without a key. */
  diff: z.nullable(
    z.object({
      keys: z.array(z.string()),
      new_rows: z.int(),
      changed_rows: z.int(),
      same_rows: z.int(),
      missing_rows: z.int(),
      samples: z.array(
        z.object({
          kind: z.enum(['new', 'changed', 'missing']),
          key: z.array(z.nullable(z.string())),
          changes: z.array(
            z.object({ column: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
          ),
        }),
      ),
    }),
  ),
  warnings: z.array(z.string()),
})
export type Validation = z.infer<typeof Validation>

export const BadRow = z.object({
  /** Data row from 1, not counting the header. */
  row: z.int(),
  line: z.int(),
  column: z.nullable(z.string()),
  value: z.nullable(z.string()),
  reason: z.string(),
})
export type BadRow = z.infer<typeof BadRow>
export const BadRowQuery = z.object({
  after: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500))),
})
export const BadRowList = z.object({ items: z.array(BadRow), next_after: z.nullable(z.int()) })

const JOB_STATES = ['in_progress', 'completed', 'failed', 'cancelled'] as const
export const UploadJob = z.object({
  job_id: z.string(),
  kind: z.enum(['pre_process', 'validate', 'deliver', 'undo']),
  status: z.enum(JOB_STATES),
  file_id: z.nullable(z.string()),
  schema_name: z.string(),
  table_name: z.nullable(z.string()),
  progress: z.object({ done_bytes: z.int(), total_bytes: z.int(), rows: z.int(), step: z.string() }),
  error: z.nullable(z.string()),
  load: z.nullable(LoadSummary),
  created_at: Instant,
  finished_at: z.nullable(Instant),
})
export type UploadJob = z.infer<typeof UploadJob>
export const JobQuery = z.object({
  status: z.optional(z.enum(JOB_STATES)),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200))),
})

export const UploadStart = z.object({
  integration_trellis_code: IntegrationCode,
  schema_name: ObjectName,
  original_filename: z.string().check(z.trim(), z.minLength(1), z.maxLength(255), visibleName),
  size_bytes: z.int().check(z.minimum(0), z.maximum(MAX_FILE_BYTES, 'A file may have at most 50 GB')),
  mode: z._default(z.enum(LOAD_MODES), 'new'),
  table_name: z.optional(ObjectName),
})
export const UploadFields = z.object({
  integration_trellis_code: IntegrationCode,
  schema_name: ObjectName,
  original_filename: z.string().check(z.trim(), z.minLength(1), z.maxLength(255), visibleName),
})

export const PreProcess = z.object({
  file_id: FileId,
  /** Overrides of what is detected. */
  dialect: z.optional(z.partial(Dialect)),
})
/** A preview with another dialect; nothing is stored. */
export const FilePreview = z.object({
  dialect: z.nullable(Dialect),
  columns: z.array(z.object({ header: z.string(), type: z.enum(COLUMN_TYPE_NAMES) })),
  rows: z.array(z.array(z.nullable(z.string()))),
  sheets: z.array(z.string()),
  problem: z.nullable(z.string()),
  lines: z.array(z.string()),
})
export type FilePreview = z.infer<typeof FilePreview>
export const FileUpdate = z.object({
  file_id: FileId,
  mode: z.optional(z.enum(LOAD_MODES)),
  table_name: z.optional(NewTableName),
  data_model: z.optional(DataModel),
  on_bad_rows: z.optional(z.enum(BAD_ROW_CHOICES)),
})
export const ModelQuery = z.object({ mode: z.optional(z.enum(LOAD_MODES)) })

export const FileModel = z.object({
  file: UploadFile,
  data_model: DataModel,
  columns: z.array(
    z.object({
      header: z.string(),
      /** Types that fit every value, best first. */
      fitting_types: z.array(z.enum(COLUMN_TYPE_NAMES)),
      empty_values: z.int(),
      longest: z.int(),
    }),
  ),
  sample: z.array(z.array(z.nullable(z.string()))),
  profiled_rows: z.int(),
  sheets: z.array(z.string()),
  /** Columns of the target table to map onto. */
  table_columns: z.array(
    z.object({ name: z.string(), type: z.string(), is_nullable: z.boolean(), is_primary_key: z.boolean() }),
  ),
  warnings: z.array(z.string()),
  /** Why this dialect was detected. */
  reasons: z.array(z.string()),
  /** Alternative dialects that are nearly as likely. */
  second_readings: z.array(z.object({ label: z.string(), dialect: z.partial(Dialect) })),
})
export type FileModel = z.infer<typeof FileModel>

export const ValidateFile = z.object({ file_id: FileId })
export const DeliverData = z.object({ file_id: FileId })
export const UndoLoad = z.object({
  integration_trellis_code: IntegrationCode,
  schema_name: ObjectName,
  table_name: ObjectName,
  load_id: z.uuid(),
})

export const TableFile = z.extend(LoadSummary, {
  file_id: z.nullable(z.string()),
  original_filename: z.nullable(z.string()),
  quarantined_rows: z.int(),
  is_undone: z.boolean(),
})
export const TableSchema = z.object({
  schema_name: z.string(),
  table_name: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      is_nullable: z.boolean(),
      has_default: z.boolean(),
      is_primary_key: z.boolean(),
    }),
  ),
  primary_keys: z.array(z.string()),
})
