import * as z from 'zod/mini'
import { WRITE_STRATEGIES } from '../dataflows/dataflow-words.ts'

const Cells = z.nullable(z.array(z.nullable(z.string())))

/** What a run of the draft would have made of a table. */
export const Comparison = z.object({
  subtask: z.string(),
  schema_name: z.string(),
  table_name: z.string(),
  strategy: z.enum(WRITE_STRATEGIES),
  /** False when the run would have made the table. */
  has_table: z.boolean(),
  /** By which rows are told apart; without one they are compared as a whole, and none counts as changed. */
  key: z.array(z.string()),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  same: z.int(),
  rejected: z.int(),
  changed_columns: z.array(z.object({ name: z.string(), rows: z.int() })),
  columns: z.array(z.string()),
  /** Some of the rows that would be different, their values in the order of `columns`, cut to 200 characters. */
  sample: z.array(z.object({ change: z.enum(['added', 'changed', 'gone']), before: Cells, after: Cells })),
  /** Some of the rows that would not fit. */
  misfits: z.array(
    z.object({ row: z.int(), column: z.nullable(z.string()), value: z.nullable(z.string()), reason: z.string() }),
  ),
  /** What would happen to the table itself, in words. */
  notes: z.array(z.string()),
})
export type Comparison = z.infer<typeof Comparison>
export const Comparisons = z.object({ comparisons: z.array(Comparison) })
