import type { BlockUpdate } from '@trellis/contract/worksheets/worksheets.schemas'
import type { LinkedBlock } from '../../dataflows/linked/linked-blocks.service.ts'

export function decideUpdate(
  block: Pick<LinkedBlock, 'draft_link' | 'is_published' | 'is_same'>,
  { isDeleted, problem, isAllowed }: { isDeleted: boolean; problem: string | null; isAllowed: boolean },
): Pick<BlockUpdate, 'update' | 'reason'> {
  const keep = (reason: string) => ({ update: 'kept', reason }) as const
  if (isDeleted) return keep('The worksheet is deleted. The block keeps its last version.')
  if (!block.draft_link) return keep('Its SQL was changed in the block and is not published yet.')
  if (!isAllowed) return keep('Your role does not allow changing dataflows. An editor can update the block.')
  if (problem !== null) return keep(problem)
  if (!block.is_published) return { update: 'draft', reason: 'The block was never published.' }
  if (!block.is_same) return { update: 'draft', reason: 'The block has other unpublished changes. Publish it there.' }
  return { update: 'published', reason: null }
}
