import * as z from 'zod/mini'
import { ChartSpec } from '../charts/charts.schemas.ts'
import { Instant } from '../core/shapes.ts'
import { ResultColumn } from '../sql/sql.schemas.ts'

const Id = z.string()

/** Markdown without HTML, images or links to elsewhere. */
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

/** One piece of how the question was read. Sending `{ [id]: value }` as `choices` with the same text asks again with that choice. */
export const Chip = z.object({
  id: z.string(),
  kind: z.enum(['table', 'measure', 'group', 'filter', 'time', 'order', 'limit', 'parameter']),
  label: z.string(),
  /** The words of the question it rests on; empty when it is a default. */
  words: z.string(),
  value: z.string(),
  options: z.array(z.object({ value: z.string(), label: z.string() })),
})
export type Chip = z.infer<typeof Chip>
const ReadingPart = z.object({
  kind: z.literal('reading'),
  id: Id,
  /** One sentence: what will be answered. */
  summary: z.string(),
  chips: z.array(Chip),
  ignored_words: z.array(z.string()),
  /** From 0 to 1. */
  confidence: z.number(),
})

/** Asked back instead of guessed: each is sent as `choices` with the same text. */
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

/** What one guarded query did, or why it was refused. */
export const QueryAccount = z.object({
  /** `tables`: a database role that can read these tables only. `connection`: the login of a connected database. */
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
  /** Nothing while it runs. */
  account: z.nullable(QueryAccount),
})

const TablePart = z.object({
  kind: z.literal('table'),
  id: Id,
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.nullable(z.string()))),
  /** More rows than the query may read. */
  is_cut: z.boolean(),
})

/** Drawn from the rows of the table part before it. */
const ChartPart = z.object({ kind: z.literal('chart'), id: Id, chart: ChartSpec })

const ActionPart = z.object({ kind: z.literal('action'), id: Id, action_id: z.string() })

const FollowUpsPart = z.object({ kind: z.literal('follow_ups'), id: Id, questions: z.array(z.string()) })

/** What the answer rests on and how fresh it is. */
const SourcesPart = z.object({
  kind: z.literal('sources'),
  id: Id,
  tables: z.array(
    z.extend(TableName, {
      integration_trellis_code: z.string(),
      rows_estimate: z.nullable(z.int()),
      /** The end of the last load that Trellis made; nothing when rows came another way. */
      loaded_at: z.nullable(Instant),
    }),
  ),
  contexts: z.array(z.object({ context_trellis_code: z.string(), name: z.string() })),
})

/** Passages of documents, quoted as they stand: text of others, to be shown as plain text. */
const DocumentsPart = z.object({
  kind: z.literal('documents'),
  id: Id,
  passages: z.array(
    z.object({
      file_id: z.string(),
      file_name: z.string(),
      /** Of a PDF. */
      page: z.nullable(z.int()),
      heading: z.nullable(z.string()),
      text: z.string(),
    }),
  ),
})

/** Says plainly who answered. `rules` works without a model. */
const EnginePart = z.object({
  kind: z.literal('engine'),
  id: Id,
  engine: z.enum(['rules', 'model', 'verified']),
  /** The model that is connected; nothing without one. */
  model: z.nullable(z.string()),
})

const ProblemPart = z.object({
  kind: z.literal('problem'),
  id: Id,
  message: z.string(),
  hint: z.nullable(z.string()),
})

/** Parts only get added, or replaced by one with the same id. */
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
