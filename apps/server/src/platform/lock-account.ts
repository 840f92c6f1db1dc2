import { type AnyDb, platformTables } from '@trellis/control-db/database'
import { AppError } from './app-error.ts'
import type { AccountCtx } from './ctx.ts'

/** Until the transaction ends; serialises counting seats and workspaces. */
export async function lockAccount(ctx: AccountCtx) {
  return await lockAccountById(ctx, ctx.account.id)
}

export async function lockAccountById(ctx: { readonly db: AnyDb }, id: number) {
  const row = await platformTables(ctx)
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found', 'This account no longer exists.')
  return row
}
