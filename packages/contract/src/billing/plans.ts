/** Storage in bytes, credits per user and month; null is unlimited. */
export const PLANS = {
  basic: { label: 'Basic', dollarsPerMonth: 950, seats: 5, workspaces: 1, storage: 53_687_091_200, creditsPerUser: 50 },
  team: {
    label: 'Team',
    dollarsPerMonth: 3000,
    seats: 10,
    workspaces: null,
    storage: 214_748_364_800,
    creditsPerUser: 500,
  },
  enterprise: {
    label: 'Enterprise',
    dollarsPerMonth: null,
    seats: null,
    workspaces: null,
    storage: null,
    creditsPerUser: 1000,
  },
} as const

export type PlanName = keyof typeof PLANS

export interface PlanLimits {
  seats: number | null
  workspaces: number | null
  storage: number | null
  creditsPerUser: number
}

/** Subscriptions handled by an account manager: no limits and no lock-out at the end date. */
const UNMANAGED_TYPES = ['enterprise_trellis', 'experimental_user', 'testing', 'internal'] as const
export type AccountTypeName = PlanName | (typeof UNMANAGED_TYPES)[number]

export function isPlanManaged(type: AccountTypeName): type is PlanName {
  return type in PLANS
}

export function getPlanLimits(type: AccountTypeName): PlanLimits {
  return isPlanManaged(type) ? PLANS[type] : { seats: null, workspaces: null, storage: null, creditsPerUser: 1000 }
}

export interface PlanUsage {
  seats: number
  workspaces: number
  storage: number
}

export type Excess = { what: 'seats' | 'workspaces' | 'storage'; used: number; limit: number }

export function findPlanExcess(plan: PlanName, usage: PlanUsage): Excess[] {
  const limits = PLANS[plan]
  return (['seats', 'workspaces', 'storage'] as const).flatMap((what) => {
    const limit = limits[what]
    return limit !== null && usage[what] > limit ? [{ what, used: usage[what], limit }] : []
  })
}

const RANK: Record<PlanName, number> = { basic: 1, team: 2, enterprise: 3 }

export function isDowngrade(from: PlanName, to: PlanName): boolean {
  return RANK[to] < RANK[from]
}

export const CREDITS_STEP = 100
export const MAX_CREDITS = 99_900
export const DOLLARS_PER_CREDIT = 0.025

/** Data is deleted this long after the plan ends; owner and admins are mailed a week before. */
export const EXPIRED_DATA_DAYS = 30
export const EXPIRED_NOTICE_DAYS = 7

/** Account types that are not billed by plan never end. */
export function isPlanOver(
  account: { account_type: AccountTypeName; stripe_plan_end_date: string | Date | null },
  now: Date,
): boolean {
  if (!isPlanManaged(account.account_type) || account.stripe_plan_end_date === null) return false
  return new Date(account.stripe_plan_end_date).getTime() <= now.getTime()
}
