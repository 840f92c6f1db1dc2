import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findBlocks } from './blocks.repository.ts'
import { getBlockRow } from './blocks.service.ts'
import { listWrittenTables } from './block-tables.ts'

export interface WritingBlock {
  readonly name: string
  readonly isPublished: boolean
}

export async function findWritingBlock(
  ctx: WorkspaceCtx,
  blockCode: string,
  table: { readonly schema: string | undefined; readonly name: string },
): Promise<WritingBlock | undefined> {
  const block = await getBlockRow(ctx, blockCode)
  const isSameTable = (written: { schema_name: string; table_name: string }) =>
    written.table_name === table.name && (table.schema === undefined || written.schema_name === table.schema)
  const writingBlock = (await findBlocks(ctx, block.dataflow_id)).find(
    (other) => other.id !== block.id && listWrittenTables(other.settings).some(isSameTable),
  )
  return writingBlock && { name: writingBlock.name, isPublished: writingBlock.live_version !== null }
}
