const DAY_MS = 86_400_000

/** Begun days count whole: on the last day there is one left. */
export const countDaysLeft = (purgeAt: string, now: Date): number =>
  Math.max(0, Math.ceil((new Date(purgeAt).getTime() - now.getTime()) / DAY_MS))
