import type { SystemCtx } from '../../platform/ctx.ts'
import { grantMonth } from './credits.service.ts'
import { listPayers } from './billing.repository.ts'

export async function handleGrantMonths(ctx: SystemCtx): Promise<void> {
  for (const account of await listPayers(ctx)) await grantMonth(ctx, account)
}
