import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { visibleText } from '../core/visible-text.ts'
import { FormaElement } from '../formas/forma.ts'

export const PublishBlock = z.object({
  /** The draft version that was reviewed; a newer one is refused. */
  version: z.int(),
  message: z.optional(z.string().check(z.maxLength(500), visibleText)),
})
export const BlockVersion = z.object({
  version: z.int(),
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
  statements: z.array(z.string()),
  /** Existing rows that don't fit the new type. */
  misfits: z.array(z.object({ column: z.string(), rows: z.int(), example: z.nullable(z.string()) })),
  readers: z.array(TableReader),
  /** Readers of a column that changes its type or is dropped. */
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
  cursors: z.array(
    z.object({
      subtask: z.string(),
      value: z.nullable(z.string()),
      is_gap_free_up_to: z.nullable(z.string()),
      /** CDC: the source's replication slot and the WAL it retains. */
      slot: z.nullable(z.object({ kept_bytes: z.nullable(z.number()), dropped_because: z.nullable(z.string()) })),
    }),
  ),
})
