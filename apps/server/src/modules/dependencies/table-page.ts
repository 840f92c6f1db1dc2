import type { TableDetails } from '@trellis/contract/explorer/explorer.schemas'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type TableKey, getTableDetails } from '../explorer/table-details.service.ts'
import { readUsage } from './dependencies.service.ts'

export async function readTablePage(ctx: WorkspaceCtx, key: TableKey): Promise<TableDetails> {
  const table = await getTableDetails(ctx, key)
  const usage = await readUsage(ctx, {
    integrationCode: key.integration_trellis_code,
    schema: table.schema_name,
    table: table.name,
  })
  const dependents = usage.used_by.filter(({ effect }) => effect !== 'kept')
  return { ...table, dependents, dependencies: usage.uses }
}
