import type { PreviousBlocks } from '@trellis/contract/dataflows/task-blocks.schemas'
import { planRunFrom } from '@trellis/dataflow-engine/graph/graph'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { listTables } from '../../explorer/database-tables.service.ts'
import { getDraftTrigger, buildGraph } from '../block-graph.ts'
import { findBlocks } from '../blocks.repository.ts'
import { getBlockRow } from '../blocks.service.ts'
import { listWrittenTables } from '../block-tables.ts'

export async function getPreviousBlocks(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof PreviousBlocks>> {
  const block = await getBlockRow(ctx, code)
  const blocks = await findBlocks(ctx, block.dataflow_id)
  const downstreamCodes = new Set(planRunFrom(buildGraph(blocks, getDraftTrigger), code).map(({ id }) => id))
  const candidateBlocks = blocks.filter(({ trellis_code }) => !downstreamCodes.has(trellis_code))
  const writtenTables = candidateBlocks.flatMap((candidateBlock) =>
    listWrittenTables(candidateBlock.settings).map((table) => ({
      task_block_trellis_code: candidateBlock.trellis_code,
      ...table,
    })),
  )
  const existingTables = writtenTables.length === 0 ? new Set() : await listTables(ctx)
  return {
    can_wait_for: candidateBlocks.map(({ trellis_code, name, kind }) => ({
      task_block_trellis_code: trellis_code,
      name,
      kind,
    })),
    writes: writtenTables.map((table) => ({
      ...table,
      exists: existingTables.has(JSON.stringify([table.schema_name, table.table_name])),
    })),
  }
}
