import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { IntegrationCode } from '../explorer/explorer.schemas.ts'
import { FILE_FORMATS } from '../explorer/file-formats.ts'
import { FileId } from '../worksheets/worksheets.schemas.ts'

const MAX_SQL_LENGTH = 200_000
export const MAX_STATEMENTS = 100
export const DEFAULT_ROW_LIMIT = 1000
export const DEFAULT_TIMEOUT_SECONDS = 60
export const RESULT_PAGE = 500
const MAX_RESULT_PAGE = 5000
const MAX_WAIT_MS = 1000

export const JobParams = z.extend(WorkspaceParams, { job_id: z.uuid() })
const RowNumber = z.coerce.number().check(z.int(), z.minimum(0))
export const ResultParams = z.extend(JobParams, { statement: RowNumber })
export const ExportParams = z.extend(JobParams, { integration_trellis_code: IntegrationCode })

/** The type the value is cast to, so that a wrong value is an error and never SQL. */
const ParameterType = z.enum(['text', 'integer', 'numeric', 'boolean', 'date', 'timestamptz', 'uuid', 'json'])
export const Parameters = z.record(
  z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/)),
  z.object({
    type: z._default(ParameterType, 'text'),
    /** Null is SQL NULL. */
    value: z.nullable(z.string().check(z.maxLength(10_000))),
  }),
)
export type Parameters = z.infer<typeof Parameters>

export const ExecuteSql = z.object({
  /** Chosen by the client: a repeated call finds the job instead of starting another. */
  job_id: z.optional(z.uuid()),
  integration_trellis_code: IntegrationCode,
  sql: z.string({ error: 'Field required' }).check(z.minLength(1, 'Field required'), z.maxLength(MAX_SQL_LENGTH)),
  /** Values for `:name` placeholders. */
  parameters: z.optional(Parameters),
  /** Up to the workspace's limit. */
  row_limit: z.optional(z.int().check(z.minimum(1))),
  timeout_seconds: z.optional(z.int().check(z.minimum(1))),
  explain: z._default(z.enum(['none', 'plan', 'analyze']), 'none'),
  /** Refuse destructive statements (DROP, UPDATE without WHERE) with a conflict that lists what would be lost. */
  ask_first: z._default(z.boolean(), false),
  /** Don't cancel when no client follows the query. */
  keep_running: z._default(z.boolean(), false),
  /** Run only the statement at this UTF-16 offset. */
  cursor: z.optional(z.int().check(z.minimum(0))),
  file_id: z.optional(FileId),
  /** `manual` runs in the worksheet's open transaction, or opens one. Only for the workspace's own database. */
  commit: z._default(z.enum(['auto', 'manual']), 'auto'),
  /** Long poll: answer early when the first rows arrive or the query ends. */
  wait_ms: z._default(z.int().check(z.minimum(0), z.maximum(MAX_WAIT_MS)), 0),
})
export type ExecuteSql = z.infer<typeof ExecuteSql>

export const JobStatus = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled'])
export type JobStatus = z.infer<typeof JobStatus>

export const ColumnKind = z.enum([
  'text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'timestamp',
  'json',
  'binary',
  'other',
])
export type ColumnKind = z.infer<typeof ColumnKind>
export const ResultColumn = z.object({ name: z.string(), type: z.string(), kind: ColumnKind })
export type ResultColumn = z.infer<typeof ResultColumn>

export const SqlProblem = z.object({
  message: z.string(),
  hint: z.nullable(z.string()),
  /** SQLSTATE, or one of our codes such as `statement_timeout` or `cancelled`. */
  code: z.string(),
  /** UTF-16 offset in the submitted text. */
  position: z.nullable(z.int()),
})
export type SqlProblem = z.infer<typeof SqlProblem>

const Notice = z.object({ severity: z.string(), message: z.string() })
export const Statement = z.object({
  start: z.int(),
  end: z.int(),
  status: z.enum(['waiting', 'running', 'completed', 'failed', 'cancelled', 'skipped']),
  /** The command tag of Postgres, such as `SELECT`. */
  command: z.nullable(z.string()),
  columns: z.nullable(z.array(ResultColumn)),
  rows: z.int(),
  /** The limit that was hit; the rest was not read. */
  cut_at: z.nullable(z.enum(['rows', 'bytes'])),
  notices: z.array(Notice),
  duration_ms: z.nullable(z.number()),
  plan: z.nullable(z.unknown()),
  problem: z.nullable(SqlProblem),
})
export type Statement = z.infer<typeof Statement>

export const SqlJob = z.object({
  job_id: z.string(),
  integration_trellis_code: z.string(),
  status: JobStatus,
  sql: z.string(),
  file_id: z.nullable(z.string()),
  row_limit: z.int(),
  timeout_seconds: z.int(),
  keep_running: z.boolean(),
  statements: z.array(Statement),
  problem: z.nullable(SqlProblem),
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  expires_at: Instant,
})
export type SqlJob = z.infer<typeof SqlJob>

const Rows = z.array(z.array(z.nullable(z.string())))
/** `[row, column]` of truncated cells within these rows; `getResultCell` returns the full value. */
const CutCells = z.array(z.tuple([z.int(), z.int()]))

const FirstRows = z.object({ statement: z.int(), first_row: z.int(), rows: Rows, cut: CutCells })
export const StartedSqlJob = z.extend(SqlJob, { first_rows: z.array(FirstRows) })
export type StartedSqlJob = z.infer<typeof StartedSqlJob>

/** Resumes a stream after a lost connection: the first statement and row that are missing. */
export const FollowQuery = z.object({ statement: z.optional(RowNumber), row: z.optional(RowNumber) })
/**
 * Streams rows until one page of each result is full; further pages are fetched. Only the first event has the job's
 * text, which may be long.
 */
export const SqlEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('job'), job: z.extend(SqlJob, { sql: z.optional(z.string()) }) }),
  z.extend(FirstRows, { kind: z.literal('rows') }),
])
export type SqlEvent = z.infer<typeof SqlEvent>

export const ResultQuery = z.object({
  first_row: z.optional(RowNumber),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_RESULT_PAGE))),
})
export const ResultPage = z.object({
  columns: z.array(ResultColumn),
  first_row: z.int(),
  rows: Rows,
  cut: CutCells,
  total_rows: z.int(),
  is_complete: z.boolean(),
})
export type ResultPage = z.infer<typeof ResultPage>
export const CellParams = z.extend(ResultParams, { row: RowNumber, column: RowNumber })
export const ResultCell = z.object({ value: z.nullable(z.string()) })

export const ResultExportQuery = z.object({
  file_type: z._default(z.enum(FILE_FORMATS), 'csv'),
  /** Only the stored rows; by default a truncated result is queried again in full. */
  is_preview: z._default(z.stringbool(), false),
  statement: z._default(RowNumber, 0),
  /** Escape CSV cells that a spreadsheet would execute as a formula. */
  formula_safe: z._default(z.stringbool(), true),
})

export const HistoryQuery = z.object({
  /** `workspace` is for admins. */
  of: z._default(z.enum(['me', 'workspace']), 'me'),
  search: z.optional(z.string().check(z.maxLength(200))),
  status: z.optional(JobStatus),
  file_id: z.optional(FileId),
  before: z.optional(z.uuid()),
})
export type HistoryQuery = z.infer<typeof HistoryQuery>
const HistoryLine = z.object({
  job_id: z.string(),
  integration_trellis_code: z.string(),
  sql: z.string(),
  status: JobStatus,
  person: z.nullable(z.string()),
  is_mine: z.boolean(),
  rows: z.int(),
  duration_ms: z.nullable(z.number()),
  problem: z.nullable(z.string()),
  has_results: z.boolean(),
  file_id: z.nullable(z.string()),
  created_at: Instant,
})
export const QueryHistory = z.object({ items: z.array(HistoryLine), next_before: z.nullable(z.string()) })
export type QueryHistory = z.infer<typeof QueryHistory>

export const SqlLimits = z.object({
  default_row_limit: z.int(),
  max_row_limit: z.int(),
  default_timeout_seconds: z.int(),
  max_timeout_seconds: z.int(),
  max_running_per_person: z.int(),
  result_hours: z.int(),
})
export type SqlLimits = z.infer<typeof SqlLimits>
export const SqlLimitsPatch = z.object({
  max_row_limit: z.optional(z.int().check(z.minimum(1), z.maximum(10_000_000))),
  max_timeout_seconds: z.optional(z.int().check(z.minimum(1), z.maximum(3600))),
})
