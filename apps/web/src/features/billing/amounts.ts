const DAY = 86_400_000

/** `$950`, `$2.50`: cents only when there are any. */
export function dollars(amount: number): string {
  const digits = Number.isInteger(amount) ? 0 : 2
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** A day that has begun counts; what is over has none left. */
export function daysUntil(instant: string, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - now.getTime()) / DAY))
}

export function daysText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'day' : 'days'}`
}
