import type { BlockMetadata } from '@trellis/contract/dataflows/task-blocks.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type BlockMove, findBlockPositions, moveBlocks } from './places.repository.ts'
import { NO_SUCH_BLOCK, groupNotFoundError } from '../canvas.service.ts'
import { touchDataflow } from '../dataflows.repository.ts'
import { findGroups } from '../groups.repository.ts'

interface MetadataChange {
  readonly task_block_trellis_code: string
  readonly metadata: { readonly [K in keyof BlockMetadata]?: BlockMetadata[K] | undefined }
}
type MovedBlock = { task_block_trellis_code: string; metadata: BlockMetadata }

/** Positions have no version: the last write wins, so dragging never conflicts with edits. */
export async function updateMetadata(ctx: WorkspaceCtx, changes: readonly MetadataChange[]): Promise<MovedBlock[]> {
  return await transaction(ctx, async (ctx) => {
    const codes = changes.map((change) => change.task_block_trellis_code)
    const positions = await findBlockPositions(ctx, codes)
    const positionByCode = new Map(positions.map((position) => [position.trellis_code, position]))
    const dataflowIds = [...new Set(positions.map(({ dataflow_id }) => dataflow_id))].toSorted((a, b) => a - b)
    // Fixed lock order, dataflow before block, avoids a deadlock.
    for (const id of dataflowIds) await touchDataflow(ctx, id)
    const getGroupId = await createGroupIdLookup(ctx, dataflowIds)
    const moves = changes.map(({ task_block_trellis_code: code, metadata }): BlockMove => {
      const position = positionByCode.get(code)
      if (!position) throw new AppError('not_found', NO_SUCH_BLOCK)
      const { x, y, note, group_trellis_code: group } = metadata
      return {
        id: position.id,
        x,
        y,
        note,
        group_id: typeof group === 'string' ? getGroupId(position.dataflow_id, group) : group,
      }
    })
    await moveBlocks(ctx, moves)
    const newPositions = await findBlockPositions(ctx, codes)
    return newPositions.map(({ trellis_code, x, y, note, group_code }) => ({
      task_block_trellis_code: trellis_code,
      metadata: { x, y, note, group_trellis_code: group_code },
    }))
  })
}

async function createGroupIdLookup(ctx: WorkspaceCtx, dataflowIds: readonly number[]) {
  const groupIds = new Map<string, number>()
  for (const dataflowId of dataflowIds) {
    for (const { id, trellis_code } of await findGroups(ctx, dataflowId))
      groupIds.set(`${dataflowId} ${trellis_code}`, id)
  }
  return (dataflowId: number, code: string): number => {
    const id = groupIds.get(`${dataflowId} ${code}`)
    if (id === undefined) throw groupNotFoundError()
    return id
  }
}
