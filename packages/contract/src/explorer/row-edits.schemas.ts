import * as z from 'zod/mini'
import { Instant } from '../core/shapes.ts'
import { MAX_COLUMNS } from './column-types.ts'
import { TableParams } from './explorer.schemas.ts'
import { ObjectName } from './names.ts'

const MAX_ROW_EDITS = 500
export const MAX_EDIT_BYTES = 8 * 1024 * 1024

/** Postgres cannot store NUL. */
const CellText = z.nullable(
  z.string().check(
    z.maxLength(1_000_000, 'A value may have at most 1,000,000 characters here'),
    z.refine((text) => !text.includes('\0'), 'A value may not hold the character NUL'),
  ),
)
/** Values of the key columns in order, as in the preview. */
const RowKey = z.array(z.string().check(z.maxLength(10_000))).check(z.minLength(1), z.maxLength(32))

const RowInsert = z.object({
  kind: z.literal('insert'),
  /** Omitted columns get their default. */
  values: z.array(z.object({ column: ObjectName, value: CellText })).check(z.maxLength(MAX_COLUMNS)),
})
const RowUpdate = z.object({
  kind: z.literal('update'),
  key: RowKey,
  changes: z
    .array(z.object({ column: ObjectName, value: CellText, old: CellText }))
    .check(z.minLength(1), z.maxLength(MAX_COLUMNS)),
})
const RowDelete = z.object({
  kind: z.literal('delete'),
  key: RowKey,
  /** The values the person saw, for conflict detection. */
  old: z.array(z.object({ column: ObjectName, value: CellText })).check(z.maxLength(MAX_COLUMNS)),
})
export const RowEdit = z.discriminatedUnion('kind', [RowInsert, RowUpdate, RowDelete])
export type RowEdit = z.infer<typeof RowEdit>

export const RowEdits = z.object({
  edits: z
    .array(RowEdit)
    .check(z.minLength(1), z.maxLength(MAX_ROW_EDITS, `At most ${MAX_ROW_EDITS} rows can be changed at once`)),
})

const EditableColumn = z.object({
  name: z.string(),
  type: z.string(),
  is_nullable: z.boolean(),
  has_default: z.boolean(),
  is_read_only: z.boolean(),
  labels: z.nullable(z.array(z.string())),
})
export type EditableColumn = z.infer<typeof EditableColumn>

export const RowEditing = z.object({
  can_edit: z.boolean(),
  reason: z.nullable(z.string()),
  key: z.array(z.string()),
  columns: z.array(EditableColumn),
  /** The person's last change to this table that can be undone. */
  last_edit: z.nullable(z.object({ edit_id: z.string(), rows: z.int(), applied_at: Instant })),
})
export type RowEditing = z.infer<typeof RowEditing>

export const RowEditsPreview = z.object({ statements: z.array(z.string()) })

const RowConflict = z.object({
  edit: z.int(),
  reason: z.enum(['changed', 'deleted']),
  cells: z.array(
    z.object({
      column: z.string(),
      old: z.nullable(z.string()),
      mine: z.nullable(z.string()),
      theirs: z.nullable(z.string()),
    }),
  ),
})
export type RowConflict = z.infer<typeof RowConflict>

/** All or nothing: with conflicts no row was changed. */
export const RowEditsResult = z.object({
  status: z.enum(['applied', 'conflict']),
  edit_id: z.nullable(z.string()),
  rows: z.int(),
  conflicts: z.array(RowConflict),
})
export type RowEditsResult = z.infer<typeof RowEditsResult>

export const UndoRowEdits = z.object({ edit_id: z.uuid() })
export const RowEditsParams = TableParams
