const GIGABYTE = 1_073_741_824
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

export function gigabytes(bytes: number): string {
  const amount = bytes / GIGABYTE
  return `${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} GB`
}

export function wholeGigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toLocaleString('en-US', { maximumFractionDigits: 2 })} GB`
}

/** A day that has begun counts; what is over has none left. */
export function daysUntil(instant: string, now: Date): number {
  return Math.max(0, Math.ceil((Date.parse(instant) - now.getTime()) / DAY))
}

export function daysText(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'day' : 'days'}`
}
