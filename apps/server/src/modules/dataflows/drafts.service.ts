import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type BlockRow, findBlocks } from './blocks.repository.ts'
import { getBlockRow } from './blocks.service.ts'
import { readFacts } from './canvas-facts.ts'
import { findBlockFaults } from './faults/block-faults.ts'

export async function assertComplete(
  ctx: WorkspaceCtx,
  { block, blocks, verb }: { block: BlockRow; blocks: readonly BlockRow[]; verb: 'published' | 'run' },
): Promise<void> {
  const { faultFacts } = await readFacts(ctx, blocks)
  const faults = findBlockFaults(block.kind, block.settings, faultFacts)
  if (faults.length === 0) return
  const shown = faults.slice(0, 5).map(({ message }) => message)
  const more = faults.length > shown.length ? ` And ${faults.length - shown.length} more.` : ''
  throw new AppError('block_incomplete', `"${block.name}" can not be ${verb} yet. ${shown.join(' ')}${more}`)
}

export async function getRunnableDraft(
  ctx: WorkspaceCtx,
  code: string,
): Promise<Pick<BlockRow, 'settings' | 'version'>> {
  const block = await getBlockRow(ctx, code)
  await assertComplete(ctx, { block, blocks: await findBlocks(ctx, block.dataflow_id), verb: 'run' })
  return block
}
