export type UsageLevel = 'normal' | 'warning' | 'full'

/** The share used, from 0 to 1. Nothing allowed counts as used up; no limit counts as unused. */
export function computeUsageShare(used: number, limit: number | null): number {
  if (limit === null) return 0
  if (limit <= 0) return 1
  return Math.min(1, Math.max(0, used / limit))
}

export function getUsageLevel(share: number): UsageLevel {
  if (share >= 1) return 'full'
  return share >= 0.8 ? 'warning' : 'normal'
}

/** Seats and workspaces are there to be taken: all of them in use is no alarm, more than allowed is. */
export function getSeatsLevel(used: number, limit: number | null): UsageLevel {
  return limit !== null && used > limit ? 'full' : 'normal'
}

export const USAGE_TEXT: Record<UsageLevel, string | undefined> = {
  normal: undefined,
  warning: 'Nearing your monthly limit',
  full: 'Usage limit reached - Buy Credits or Upgrade Plan',
}

export const PLACES_TEXT: Record<UsageLevel, string | undefined> = {
  normal: undefined,
  warning: undefined,
  full: 'More than the plan allows',
}
