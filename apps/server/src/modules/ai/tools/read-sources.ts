import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import type { DescribedTable } from '@trellis/workspace-db/catalogue/read-tables'
import { listReceipts } from '@trellis/loads/receipts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { withTableSession } from '../../explorer/database-tables.service.ts'

type Sources = Extract<MessagePart, { kind: 'sources' }>['tables']

export async function readSources(
  ctx: WorkspaceCtx,
  { integrationCode, tables }: { integrationCode: string; tables: readonly DescribedTable[] },
): Promise<Sources> {
  const isOwn = integrationCode === managedCode(ctx.workspace.code)
  const loads = isOwn
    ? await withTableSession(ctx, async (session) => {
        const found = new Map<DescribedTable, string>()
        for (const table of tables) {
          const [last] = await listReceipts(session, { schema: table.schema, table: table.name, limit: 1 })
          if (last) found.set(table, new Date(last.finishedAt).toISOString())
        }
        return found
      })
    : undefined
  return tables.map((table) => ({
    integration_trellis_code: integrationCode,
    schema_name: table.schema,
    table_name: table.name,
    rows_estimate: table.rows,
    loaded_at: loads?.get(table) ?? null,
  }))
}
