import type { ExplorerHome } from '@trellis/contract/explorer/explorer.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { listOutsideDatabases } from '../integrations/outside-databases.service.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { findRecent } from './remembered.repository.ts'

export async function listRecentTables(ctx: WorkspaceCtx): Promise<z.infer<typeof ExplorerHome>['recent_tables']> {
  const opened = await findRecent(ctx)
  const managed = managedCode(ctx.workspace.code)
  const isManaged = opened.every(({ integration_code }) => integration_code === managed)
  const outside = isManaged ? [] : await listOutsideDatabases(ctx)
  const databases = new Set([managed, ...outside.map(({ trellis_code }) => trellis_code)])
  return opened
    .filter(({ integration_code }) => databases.has(integration_code))
    .map(({ integration_code, opened_at, ...names }) => ({
      integration_trellis_code: integration_code,
      ...names,
      opened_at: opened_at.toISOString(),
    }))
}
