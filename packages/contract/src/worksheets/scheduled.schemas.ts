import * as z from 'zod/mini'
import { WorkspaceParams } from '../core/shapes.ts'
import { visibleName } from '../core/visible-text.ts'
import { Code } from '../dataflows/dataflows.schemas.ts'
import { NewSchemaName, NewTableName } from '../explorer/names.ts'
import { Commit, FileId } from './worksheets.schemas.ts'

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), visibleName)

export const RunAsDataflow = z.object({
  project_id: FileId,
  file_id: FileId,
  dataflow: z.union([
    z.object({ trellis_code: Code }),
    z.object({ name: Name, folder_trellis_code: z.nullable(Code) }),
  ]),
  block_name: Name,
  table: z.nullable(z.object({ schema_name: NewSchemaName, table_name: NewTableName })),
})
export type RunAsDataflow = z.infer<typeof RunAsDataflow>
export const ScheduledBlock = z.object({ dataflow_trellis_code: z.string(), task_block_trellis_code: z.string() })

export const WorksheetBlock = z.object({
  task_block_trellis_code: z.string(),
  name: z.string(),
  dataflow_trellis_code: z.string(),
  dataflow_name: z.string(),
  /** Of the published version, or of the draft before the first publish. */
  commit_id: z.string(),
  is_published: z.boolean(),
  is_latest: z.boolean(),
})
export type WorksheetBlock = z.infer<typeof WorksheetBlock>

export const BlockParams = z.extend(WorkspaceParams, { task_block_trellis_code: Code })
export const BlockWorksheet = z.object({
  project_id: z.string(),
  project_name: z.string(),
  file_id: z.string(),
  folder_id: z.string(),
  /** Current path, or the last one of a deleted file. */
  name: z.string(),
  path: z.string(),
  /** The version in the block's draft. Null when the project's history is deleted. */
  commit: z.nullable(Commit),
  state: z.enum(['latest', 'behind', 'deleted']),
})
export type BlockWorksheet = z.infer<typeof BlockWorksheet>
/** Optimistic locking: a newer draft is refused. */
export const DraftVersionNumber = z.object({ version: z.int() })
