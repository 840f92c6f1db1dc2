const DAY_MS = 86_400_000

/** Days that have begun count. */
export const countDaysLeft = (purgeAt: string, now: Date): number =>
  Math.max(0, Math.ceil((new Date(purgeAt).getTime() - now.getTime()) / DAY_MS))
