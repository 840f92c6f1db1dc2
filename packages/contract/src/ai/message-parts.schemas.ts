import * as z from 'zod/mini'
import { ChartSpec } from '../charts/charts.schemas.ts'
import { Instant } from '../core/shapes.ts'
import { ResultColumn } from '../sql/sql.schemas.ts'

const Id = z.string()

/** Markdown without HTML, images or external links. */
const TextPart = z.object({ kind: z.literal('text'), id: Id, text: z.string() })

export const StepTool = z.enum([
  'read_catalogue',
  'read_question',
  'look_up_verified',
  'search_documents',
  'describe_table',
  'search_values',
  'run_sql',
  'make_chart',
  'call_model',
  'propose_action',
])
export type StepTool = z.infer<typeof StepTool>
const StepPart = z.object({
  kind: z.literal('step'),
  id: Id,
  tool: StepTool,
  title: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  detail: z.nullable(z.string()),
  duration_ms: z.nullable(z.number()),
})

/**
 * One part of how the question was understood. Sending `{ [id]: value }` as `choices` with the same text asks again
 * with that choice.
 */
export const Chip = z.object({
  id: z.string(),
  kind: z.enum(['table', 'measure', 'group', 'filter', 'time', 'order', 'limit', 'parameter']),
  label: z.string(),
  /** The words of the question it is based on; empty for a default. */
  words: z.string(),
  value: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
})
export type Chip = z.infer<typeof Chip>
const ReadingPart = z.object({
  kind: z.literal('reading'),
  id: Id,
  summary: z.string(),
  chips: z.array(Chip),
  ignored_words: z.array(z.string()),
  confidence: z.number(),
})

/** The assistant asks back instead of guessing: each reading is sent as `choices` with the same text. */
const ReadingsPart = z.object({
  kind: z.literal('readings'),
  id: Id,
  readings: z.array(
    z.object({
      summary: z.string(),
      sql: z.string(),
      choices: z.record(z.string(), z.string()),
      confidence: z.number(),
    }),
  ),
  ignored_words: z.array(z.string()),
})

const TableName = z.object({ schema_name: z.string(), table_name: z.string() })

export const QueryAccount = z.object({
  /** `tables`: a database role that can read only these tables. `connection`: the login of a connected database. */
  role: z.enum(['tables', 'connection']),
  tables: z.array(TableName),
  estimated_cost: z.nullable(z.number()),
  estimated_rows: z.nullable(z.number()),
  max_cost: z.number(),
  max_rows: z.int(),
  max_bytes: z.int(),
  timeout_ms: z.int(),
  rows: z.int(),
  cut_at: z.nullable(z.enum(['rows', 'bytes'])),
  duration_ms: z.number(),
  refusal: z.nullable(
    z.object({
      code: z.enum([
        'syntax',
        'not_one_statement',
        'not_a_query',
        'clause_not_allowed',
        'function_not_allowed',
        'table_not_in_scope',
        'too_expensive',
        'no_right',
      ]),
      message: z.string(),
      hint: z.nullable(z.string()),
      position: z.nullable(z.int()),
    }),
  ),
})
export type QueryAccount = z.infer<typeof QueryAccount>

const SqlPart = z.object({
  kind: z.literal('sql'),
  id: Id,
  integration_trellis_code: z.string(),
  sql: z.string(),
  account: z.nullable(QueryAccount),
})

const TablePart = z.object({
  kind: z.literal('table'),
  id: Id,
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.nullable(z.string()))),
  is_cut: z.boolean(),
})

/** Drawn from the rows of the preceding table part. */
const ChartPart = z.object({ kind: z.literal('chart'), id: Id, chart: ChartSpec })

const ActionPart = z.object({ kind: z.literal('action'), id: Id, action_id: z.string() })

const FollowUpsPart = z.object({ kind: z.literal('follow_ups'), id: Id, questions: z.array(z.string()) })

const SourcesPart = z.object({
  kind: z.literal('sources'),
  id: Id,
  tables: z.array(
    z.extend(TableName, {
      integration_trellis_code: z.string(),
      rows_estimate: z.nullable(z.int()),
      /** End of the last load by Trellis; null when the rows came another way. */
      loaded_at: z.nullable(Instant),
    }),
  ),
  contexts: z.array(z.object({ context_trellis_code: z.string(), name: z.string() })),
})

/** Quotes from documents. Untrusted text: render as plain text. */
const DocumentsPart = z.object({
  kind: z.literal('documents'),
  id: Id,
  passages: z.array(
    z.object({
      file_id: z.string(),
      file_name: z.string(),
      page: z.nullable(z.int()),
      heading: z.nullable(z.string()),
      text: z.string(),
    }),
  ),
})

/** Which engine answered. `rules` works without a model. */
const EnginePart = z.object({
  kind: z.literal('engine'),
  id: Id,
  engine: z.enum(['rules', 'model', 'verified']),
  model: z.nullable(z.string()),
})

const ProblemPart = z.object({
  kind: z.literal('problem'),
  id: Id,
  message: z.string(),
  hint: z.nullable(z.string()),
})

/** Parts are only added, or replaced by one with the same id. */
export const MessagePart = z.discriminatedUnion('kind', [
  TextPart,
  StepPart,
  ReadingPart,
  ReadingsPart,
  SqlPart,
  TablePart,
  ChartPart,
  ActionPart,
  FollowUpsPart,
  SourcesPart,
  DocumentsPart,
  EnginePart,
  ProblemPart,
])
export type MessagePart = z.infer<typeof MessagePart>
