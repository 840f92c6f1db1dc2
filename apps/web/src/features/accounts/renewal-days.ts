const DAY = 86_400_000

/** Whole days until the plan renews, the day begun counted; 0 when nothing is to be renewed. */
export function daysUntilRenewal(renewal: string | null, now: Date): number {
  if (renewal === null) return 0
  return Math.max(0, Math.ceil((Date.parse(renewal) - now.getTime()) / DAY))
}
