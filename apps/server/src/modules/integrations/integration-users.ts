import type { UsedBy } from '@trellis/contract/integrations/integrations.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findBlocksUsing } from './integration-users.repository.ts'
import type { StoredIntegration } from './stored-integration.ts'

const MAX_NAMED = 5

/** By draft or published version; a used connection cannot be deleted. */
export async function listUsers(ctx: WorkspaceCtx, integration: StoredIntegration): Promise<z.infer<typeof UsedBy>[]> {
  const blocks = await findBlocksUsing(ctx, integration)
  const byFlow = Map.groupBy(blocks, ({ dataflow_code }) => dataflow_code)
  return [...byFlow].map(([trellis_code, ownUsingBlocks]) => {
    const named = ownUsingBlocks.slice(0, MAX_NAMED).map(({ name }) => name)
    const more = ownUsingBlocks.length > named.length ? ` and ${ownUsingBlocks.length - named.length} more` : ''
    return {
      kind: 'dataflow',
      trellis_code,
      name: `${ownUsingBlocks[0]?.dataflow_name ?? ''} (${named.join(', ')}${more})`,
    }
  })
}
