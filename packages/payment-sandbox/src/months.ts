const DAY = 86_400

export function addMonths(seconds: number, count: number): number {
  const from = new Date(seconds * 1000)
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + count, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  const timeOfDay = ((seconds % DAY) + DAY) % DAY
  return first.getTime() / 1000 + timeOfDay
}

/** Counted from the anchor, so that the 31st returns after February. */
export function periodEnd(anchor: number, start: number): number {
  const from = new Date(anchor * 1000)
  const to = new Date(start * 1000)
  let count = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  while (addMonths(anchor, count) <= start) count += 1
  return addMonths(anchor, count)
}
