import type { ExplorerHome } from '@trellis/contract/explorer/explorer.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listOutsideDatabases } from '../integrations/outside-databases.service.ts'
import { managedCode } from './database.service.ts'
import { findRecent } from './remembered.repository.ts'

/** Tables the person opened last. A connection that was removed leaves its tables behind in what was opened. */
export async function listRecentTables(ctx: WorkspaceCtx): Promise<z.infer<typeof ExplorerHome>['recent_tables']> {
  const outside = await listOutsideDatabases(ctx)
  const databases = new Set([managedCode(ctx.workspace.code), ...outside.map(({ trellis_code }) => trellis_code)])
  return (await findRecent(ctx))
    .filter(({ integration_code }) => databases.has(integration_code))
    .map(({ integration_code, opened_at, ...names }) => ({
      integration_trellis_code: integration_code,
      ...names,
      opened_at: opened_at.toISOString(),
    }))
}
