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
  /** One that is there, or a new one in a folder. */
  dataflow: z.union([
    z.object({ trellis_code: Code }),
    z.object({ name: Name, folder_trellis_code: z.nullable(Code) }),
  ]),
  block_name: Name,
  /** Where the rows of a SELECT go; null for SQL that writes by itself. */
  table: z.nullable(z.object({ schema_name: NewSchemaName, table_name: NewTableName })),
})
export type RunAsDataflow = z.infer<typeof RunAsDataflow>
export const ScheduledBlock = z.object({ dataflow_trellis_code: z.string(), task_block_trellis_code: z.string() })

/** A block that runs a worksheet. */
export const WorksheetBlock = z.object({
  task_block_trellis_code: z.string(),
  name: z.string(),
  dataflow_trellis_code: z.string(),
  dataflow_name: z.string(),
  /** Of what the block runs, or of its draft when it was never published. */
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
  /** Where the file is now; where it was when it is deleted. */
  name: z.string(),
  path: z.string(),
  /** The version that the block's draft holds. Null when its history is gone with the project. */
  commit: z.nullable(Commit),
  state: z.enum(['latest', 'behind', 'deleted']),
})
export type BlockWorksheet = z.infer<typeof BlockWorksheet>
/** The draft that was looked at; a newer one is refused. */
export const DraftVersionNumber = z.object({ version: z.int() })
