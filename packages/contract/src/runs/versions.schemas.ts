import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'
import { FormaElement } from '../formas/forma.ts'

export const PublishBlock = z.object({
  /** The draft that was looked at; a newer one is not published unseen. */
  version: z.int(),
  message: z.optional(z.string().check(z.maxLength(500), visibleText)),
})
export const BlockVersion = z.object({
  /** The draft it was made of. */
  version: z.int(),
  /** Its place in the order of publishing, from 1: the number people are shown. */
  number: z.int(),
  published_at: Instant,
  published_by: z.nullable(z.string()),
  message: z.string(),
  is_live: z.boolean(),
  settings: z.unknown(),
})
export type BlockVersion = z.infer<typeof BlockVersion>
export const RestoreVersion = z.object({ version: z.int(), draft_version: z.int() })

export const SettingChange = z.object({
  path: z.string(),
  label: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
const TableReader = z.object({ kind: z.enum(['block', 'view']), name: z.string() })
export const PublishPlan = z.object({
  version: z.int(),
  changes: z.array(SettingChange),
  /** What is done to tables when it runs next. */
  statements: z.array(z.string()),
  /** Rows that are there and would not fit a new type. */
  misfits: z.array(z.object({ column: z.string(), rows: z.int(), example: z.nullable(z.string()) })),
  /** Blocks and views that read the tables it writes. */
  readers: z.array(TableReader),
  /** Of these, those that read a column whose type changes or that the source no longer has. */
  column_readers: z.array(
    z.object({
      table: z.string(),
      column: z.string(),
      change: z.enum(['type', 'gone']),
      readers: z.array(TableReader),
    }),
  ),
})
export const Overrides = z.object({
  elements: z.array(z.object({ section: z.string(), element: FormaElement })),
  can_window: z.boolean(),
  /** Where the live cursor of each subtask stands. */
  cursors: z.array(
    z.object({
      subtask: z.string(),
      value: z.nullable(z.string()),
      is_gap_free_up_to: z.nullable(z.string()),
      /** Of a source that is followed by its log: what the source keeps of it for the next run. */
      slot: z.nullable(z.object({ kept_bytes: z.nullable(z.number()), dropped_because: z.nullable(z.string()) })),
    }),
  ),
})
