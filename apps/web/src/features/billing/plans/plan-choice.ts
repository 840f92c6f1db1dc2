import type { Usage } from '@trellis/contract/billing/billing.schemas'
import { findPlanExcess, isDowngrade, isPlanManaged, type Excess, type PlanName } from '@trellis/contract/billing/plans'
import type { AccountTypeName } from '@trellis/contract/billing/plans'
import { formatGigabytes } from '../../../ui/data/gigabytes.ts'

export const BLOCKED_TITLE = 'This plan can’t be selected'
export const BLOCKED_TEXT = 'Your current usage exceeds the limits of this plan:'

type PlanLimitUsage = Pick<Usage, 'users' | 'workspaces' | 'trellis_managed_database_storage_used'>

export interface PlanState {
  current: PlanName | null
  /** Takes effect at the end of the period. */
  next: PlanName | null
  usage: PlanLimitUsage
}

export interface PlanChoice {
  isCurrent: boolean
  isNext: boolean
  canChoose: boolean
  exceededLimits: readonly string[]
  /** Would fit after removing workspaces and members. */
  canFit: boolean
  /** A downgrade must be confirmed. */
  needsConfirmation: boolean
}

export function toPlanChoice(plan: PlanName, { current, next, usage }: PlanState): PlanChoice {
  const isCurrent = plan === current
  const isNext = plan === next
  const excess = isCurrent ? [] : findPlanExcess(plan, toPlanUsage(usage))
  const exceededLimits = excess.map(formatExcess)
  return {
    isCurrent,
    isNext,
    canChoose: !isCurrent && !isNext && exceededLimits.length === 0,
    exceededLimits,
    canFit: excess.some(({ what }) => what !== 'storage'),
    needsConfirmation: current !== null && (isDowngrade(current, plan) || (current === 'team' && plan === 'team')),
  }
}

/** Null for account types without a plan to choose. */
export function findPlan(type: string): PlanName | null {
  return isPlanManaged(type as AccountTypeName) ? (type as PlanName) : null
}

function toPlanUsage(usage: PlanLimitUsage) {
  return {
    seats: usage.users,
    workspaces: usage.workspaces,
    storage: usage.trellis_managed_database_storage_used,
  }
}

function formatExcess({ what, used, limit }: Excess): string {
  if (what === 'seats') return `User seats: ${used} in use (Limit: ${limit})`
  if (what === 'workspaces') return `Workspaces: ${used} created (Limit: ${limit})`
  return `DB storage: ${formatGigabytes(used)} in use (Limit: ${formatGigabytes(limit)})`
}
