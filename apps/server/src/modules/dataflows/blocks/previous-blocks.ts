import type { PreviousBlocks } from '@trellis/contract/dataflows/task-blocks.schemas'
import { planRunFrom } from '@trellis/dataflow-engine/graph/graph'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listTables } from '../../explorer/database-tables.service.ts'
import { draftTrigger, buildGraph } from '../block-graph.ts'
import { findBlocks } from '../blocks.repository.ts'
import { getBlockRow } from '../blocks.service.ts'
import { listWrittenTables } from '../block-tables.ts'

export async function getPreviousBlocks(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof PreviousBlocks>> {
  const block = await getBlockRow(ctx, code)
  const blocks = await findBlocks(ctx, block.dataflow_id)
  const behind = new Set(planRunFrom(buildGraph(blocks, draftTrigger), code).map(({ id }) => id))
  const before = blocks.filter(({ trellis_code }) => !behind.has(trellis_code))
  const written = before.flatMap((other) =>
    listWrittenTables(other.settings).map((table) => ({ task_block_trellis_code: other.trellis_code, ...table })),
  )
  const there = written.length === 0 ? new Set() : await listTables(ctx)
  return {
    can_wait_for: before.map(({ trellis_code, name, kind }) => ({ task_block_trellis_code: trellis_code, name, kind })),
    writes: written.map((table) => ({
      ...table,
      exists: there.has(JSON.stringify([table.schema_name, table.table_name])),
    })),
  }
}
