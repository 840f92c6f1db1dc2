const DAY = 86_400_000

/** A day that has begun counts. */
export function daysUntil(instant: string, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - now.getTime()) / DAY))
}

export function formatDays(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'day' : 'days'}`
}
