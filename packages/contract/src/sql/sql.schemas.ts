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

/** The type a value is cast to, so that a wrong value is an error and never SQL. */
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
  /** Chosen by the caller, so that a repeated call finds the job it started instead of starting another. */
  job_id: z.optional(z.uuid()),
  integration_trellis_code: IntegrationCode,
  sql: z.string({ error: 'Field required' }).check(z.minLength(1, 'Field required'), z.maxLength(MAX_SQL_LENGTH)),
  /** Values for `:name` in the text. */
  parameters: z.optional(Parameters),
  /** Up to the ceiling of the workspace. */
  row_limit: z.optional(z.int().check(z.minimum(1))),
  timeout_seconds: z.optional(z.int().check(z.minimum(1))),
  explain: z._default(z.enum(['none', 'plan', 'analyze']), 'none'),
  /** Refused as a conflict that says what would be lost, when a statement drops something or changes all rows. */
  ask_first: z._default(z.boolean(), false),
  /** Goes on when nobody follows it any more. */
  keep_running: z._default(z.boolean(), false),
  /** Only the statement at this UTF-16 offset of the text; all of them without it. */
  cursor: z.optional(z.int().check(z.minimum(0))),
  /** The worksheet it was run from. */
  file_id: z.optional(FileId),
  /** `manual` runs it in the open transaction of the worksheet, or begins one. Only on the database of the workspace. */
  commit: z._default(z.enum(['auto', 'manual']), 'auto'),
  /** Answers with the first rows when they come, or the query ends, within this time; otherwise without them. */
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
  /** The SQLSTATE, or a word of ours such as `statement_timeout` or `cancelled`. */
  code: z.string(),
  /** UTF-16 offset in the text as it was sent. */
  position: z.nullable(z.int()),
})
export type SqlProblem = z.infer<typeof SqlProblem>

const Notice = z.object({ severity: z.string(), message: z.string() })
export const Statement = z.object({
  /** Its place in the text as it was sent, as UTF-16 offsets. */
  start: z.int(),
  end: z.int(),
  status: z.enum(['waiting', 'running', 'completed', 'failed', 'cancelled', 'skipped']),
  /** What Postgres says was done, such as `SELECT` or `INSERT`. */
  command: z.nullable(z.string()),
  columns: z.nullable(z.array(ResultColumn)),
  rows: z.int(),
  /** More rows or bytes than allowed: the rest was not read. */
  cut_at: z.nullable(z.enum(['rows', 'bytes'])),
  notices: z.array(Notice),
  duration_ms: z.nullable(z.number()),
  /** From EXPLAIN (FORMAT JSON). */
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
  /** What went wrong outside of a single statement. */
  problem: z.nullable(SqlProblem),
  created_at: Instant,
  started_at: z.nullable(Instant),
  finished_at: z.nullable(Instant),
  /** Results are deleted after this. */
  expires_at: Instant,
})
export type SqlJob = z.infer<typeof SqlJob>

const Rows = z.array(z.array(z.nullable(z.string())))
/** Positions `[row, column]` within these rows of cells that were cut; `getResultCell` returns the whole one. */
const CutCells = z.array(z.tuple([z.int(), z.int()]))

const FirstRows = z.object({ statement: z.int(), first_row: z.int(), rows: Rows, cut: CutCells })
export const StartedSqlJob = z.extend(SqlJob, { first_rows: z.array(FirstRows) })
export type StartedSqlJob = z.infer<typeof StartedSqlJob>

/** Where a stream goes on after a lost connection: rows of `statement` from `row` on are not there yet. */
export const FollowQuery = z.object({ statement: z.optional(RowNumber), row: z.optional(RowNumber) })
/**
 * Rows come until a page of each result is full; the rest is fetched by page. The first event of a stream has the job with
 * its text, which may be long and never changes: later ones leave it out.
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
  /** Only the rows that were kept; without it a result that was cut is read again in full. */
  is_preview: z._default(z.stringbool(), false),
  statement: z._default(RowNumber, 0),
  /** Cells of a CSV file that a spreadsheet would run as a formula get an apostrophe in front. */
  formula_safe: z._default(z.stringbool(), true),
})

export const HistoryQuery = z.object({
  /** `workspace` is for admins. */
  of: z._default(z.enum(['me', 'workspace']), 'me'),
  search: z.optional(z.string().check(z.maxLength(200))),
  status: z.optional(JobStatus),
  file_id: z.optional(FileId),
  /** `job_id` of the last line of the page before. */
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

/** What the workspace allows at most, and what a query gets that asks for nothing. */
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
