import { type TableChanges, listChanges } from '@trellis/loads/list-changes'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { withTableSession } from '../../explorer/database-tables.service.ts'
import type { ProjectTable } from '../../ai-projects/projects.service.ts'

/** Tables of connected databases have no receipts, since others load them. */
export async function readChanges(
  ctx: WorkspaceCtx,
  { tables, since }: { tables: readonly (ProjectTable & { integration_code: string })[]; since: Date },
): Promise<readonly TableChanges[]> {
  const own = tables
    .filter(({ integration_code }) => integration_code === managedCode(ctx.workspace.code))
    .map(({ schema_name, table_name }) => ({ schema: schema_name, table: table_name }))
  if (own.length === 0) return []
  return (await withTableSession(ctx, async (session) => await listChanges(session, own, since))) ?? []
}
