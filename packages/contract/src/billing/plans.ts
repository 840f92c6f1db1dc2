/** What each plan costs and allows. Storage in bytes, credits per user and month; null is without a limit. */
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

/** Kinds of account whose subscription an account manager looks after: no limits, and no end that locks anybody out. */
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

/** What current use has too much of for a plan; empty when the plan can be chosen. */
export function excessOver(plan: PlanName, usage: PlanUsage): Excess[] {
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

/** How long the data of an account is kept after its plan has ended; its owner and admins are told a week before. */
export const EXPIRED_DATA_DAYS = 30
export const EXPIRED_NOTICE_DAYS = 7

/** A plan whose end has passed closes the account; kinds that are not plan-managed have no end. */
export function isPlanOver(
  account: { account_type: AccountTypeName; stripe_plan_end_date: string | Date | null },
  now: Date,
): boolean {
  if (!isPlanManaged(account.account_type) || account.stripe_plan_end_date === null) return false
  return new Date(account.stripe_plan_end_date).getTime() <= now.getTime()
}
