import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findBlock } from '../blocks.repository.ts'
import { findBlocksUsing } from './connection-users.repository.ts'

const MOST_NAMED = 5

/** Dataflows with a block that uses a connection, by its draft or by what is live; the blocks are named. */
export async function dataflowsUsing(
  ctx: WorkspaceCtx,
  integration: { readonly id: number; readonly trellis_code: string },
): Promise<{ trellis_code: string; name: string }[]> {
  const blocks = await findBlocksUsing(ctx, integration)
  const byFlow = Map.groupBy(blocks, ({ dataflow_code }) => dataflow_code)
  return [...byFlow].map(([trellis_code, own]) => {
    const named = own.slice(0, MOST_NAMED).map(({ name }) => name)
    const more = own.length > named.length ? ` and ${own.length - named.length} more` : ''
    return { trellis_code, name: `${own[0]?.dataflow_name ?? ''} (${named.join(', ')}${more})` }
  })
}

/** What a source is set up to read: where from, and each subtask's query. */
export async function findBlockSource(ctx: WorkspaceCtx, code: string): Promise<SourceSettings | undefined> {
  const block = await findBlock(ctx, code)
  return block?.kind === 'Source' ? (block.settings as SourceSettings) : undefined
}
