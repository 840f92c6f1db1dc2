import * as z from 'zod/mini'
import { Instant, WorkspaceParams } from '../core/shapes.ts'
import { NewTableName } from './names.ts'

export const RECYCLE_BIN_DAYS = 7

export const Deleted = z.object({ done: z.literal(true), deletion_code: z.string() })

export const Deletion = z.object({
  deletion_code: z.string(),
  integration_trellis_code: z.string(),
  kind: z.enum(['table', 'schema']),
  schema_name: z.string(),
  table_name: z.nullable(z.string()),
  /** Tables and views, including dependents. */
  tables: z.int(),
  rows_estimate: z.int(),
  size_bytes: z.int(),
  deleted_at: Instant,
  deleted_by: z.nullable(z.string()),
  purge_at: Instant,
})
export type Deletion = z.infer<typeof Deletion>
export const RecycleBin = z.object({ items: z.array(Deletion), size_bytes: z.int() })

export const DeletionParams = z.extend(WorkspaceParams, {
  deletion_code: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
})
/** Needed when the old name is taken by now. */
export const Restore = z.object({ new_name: z.optional(NewTableName) })
export const Restored = z.object({
  schema_name: z.string(),
  table_name: z.nullable(z.string()),
  /** What differs from before the deletion. */
  notes: z.array(z.string()),
})
