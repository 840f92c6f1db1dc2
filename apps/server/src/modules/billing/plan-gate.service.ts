import { type AccountTypeName, isPlanOver } from '@trellis/contract/billing/plans'
import type { AnyDb } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import { findLivingPlan } from './billing.repository.ts'

interface GateCtx {
  readonly db: AnyDb
  readonly clock: Clock
}

interface Plan {
  account_type: AccountTypeName
  stripe_plan_end_date: Date | null
}

const planOver = () => new AppError('plan_expired', 'The plan of this account has ended. Reactivate it to continue.')

/** Background work must check this right before it starts: the plan may have ended since it was scheduled. */
export async function isPlanUsable(ctx: GateCtx, accountId: number): Promise<boolean> {
  const plan = await findLivingPlan(ctx, accountId)
  return plan !== undefined && !isPlanOver(plan, ctx.clock.now())
}

export async function assertPlanUsable(ctx: GateCtx, accountId: number): Promise<void> {
  if (!(await isPlanUsable(ctx, accountId))) throw planOver()
}

export function assertPlanRuns(plan: Plan, now: Date): void {
  if (isPlanOver(plan, now)) throw planOver()
}
