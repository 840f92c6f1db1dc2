import * as z from 'zod/mini'
import { WRITE_STRATEGIES } from '../dataflows/dataflow-words.ts'

const Cells = z.nullable(z.array(z.nullable(z.string())))

/** Result of a dry run for one table. */
export const Comparison = z.object({
  subtask: z.string(),
  schema_name: z.string(),
  table_name: z.string(),
  strategy: z.enum(WRITE_STRATEGIES),
  has_table: z.boolean(),
  /** The primary key; without one, rows are compared as a whole and none counts as changed. */
  key: z.array(z.string()),
  added: z.int(),
  changed: z.int(),
  gone: z.int(),
  same: z.int(),
  rejected: z.int(),
  changed_columns: z.array(z.object({ name: z.string(), rows: z.int() })),
  columns: z.array(z.string()),
  /** Example rows, values in the order of `columns`, cut to 200 characters. */
  sample: z.array(z.object({ change: z.enum(['added', 'changed', 'gone']), before: Cells, after: Cells })),
  misfits: z.array(
    z.object({ row: z.int(), column: z.nullable(z.string()), value: z.nullable(z.string()), reason: z.string() }),
  ),
  notes: z.array(z.string()),
})
export type Comparison = z.infer<typeof Comparison>
export const Comparisons = z.object({ comparisons: z.array(Comparison) })
