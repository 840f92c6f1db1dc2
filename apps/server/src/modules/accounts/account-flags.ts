import { isPlanManaged, isPlanOver, getPlanLimits } from '@trellis/contract/billing/plans'
import type { AccountCtx } from '../../platform/ctx.ts'
import { countSeats } from '../members/members.service.ts'
import { countWorkspaces } from '../workspaces/workspaces.service.ts'
import { getOwnAccount } from './accounts.service.ts'

export async function getAccountFlags(ctx: AccountCtx) {
  const account = await getOwnAccount(ctx)
  const limits = getPlanLimits(account.account_type)
  const [seats, workspaces] = [await countSeats(ctx, ctx.account.id), await countWorkspaces(ctx, ctx.account.id)]
  const isOver = isPlanOver(account, ctx.clock.now())
  return {
    is_plan_managed: isPlanManaged(account.account_type),
    is_plan_over: isOver,
    can_add_workspaces: !isOver && (limits.workspaces === null || workspaces < limits.workspaces),
    can_add_members: !isOver && (limits.seats === null || seats < limits.seats),
  }
}
