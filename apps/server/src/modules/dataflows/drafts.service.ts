import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type BlockRow, findBlocks } from './blocks.repository.ts'
import { getBlockRow } from './blocks.service.ts'
import { readCanvasFacts } from './canvas-facts.ts'
import { findBlockFaults } from './faults/block-faults.ts'

export async function assertComplete(
  ctx: WorkspaceCtx,
  { block, blocks, verb }: { block: BlockRow; blocks: readonly BlockRow[]; verb: 'published' | 'run' },
): Promise<void> {
  const { faultFacts } = await readCanvasFacts(ctx, blocks)
  const faults = findBlockFaults(block.kind, block.settings, faultFacts)
  if (faults.length === 0) return
  const firstFaults = faults.slice(0, 5).map(({ message }) => message)
  const moreText = faults.length > firstFaults.length ? ` And ${faults.length - firstFaults.length} more.` : ''
  throw new AppError('block_incomplete', `"${block.name}" can not be ${verb} yet. ${firstFaults.join(' ')}${moreText}`)
}

export async function getRunnableDraft(
  ctx: WorkspaceCtx,
  code: string,
): Promise<Pick<BlockRow, 'settings' | 'version'>> {
  const block = await getBlockRow(ctx, code)
  await assertComplete(ctx, { block, blocks: await findBlocks(ctx, block.dataflow_id), verb: 'run' })
  return block
}
