const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** `512 B`, `3.4 MB`: two digits tell enough to compare by eye. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes)
  let unit = 0
  while (value >= 1023.5 && unit < UNITS.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}

const STEPS = [
  { from: 999_500_000, by: 1e9, word: 'B' },
  { from: 999_500, by: 1e6, word: 'M' },
  { from: 9_995, by: 1e3, word: 'k' },
] as const

/** `1.2 M`, `48 k`, `812`. */
export function shortCount(count: number): string {
  const step = STEPS.find(({ from }) => count >= from)
  if (!step) return count.toLocaleString('en-US')
  const value = count / step.by
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${step.word}`
}

/** What the database believes without counting, said as such. */
export function formatEstimate(rows: number | null): string {
  return rows === null ? 'unknown' : `about ${shortCount(rows)}`
}

export const wholeNumber = (value: number): string => value.toLocaleString('en-US')

/** `1 table`, `2 tables`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? one : many}`
}

/** `12 %`, `< 1 %`, so that a few among millions never read as none. */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.01) return '< 1 %'
  if (share < 1 && share > 0.99) return '> 99 %'
  return `${Math.round(share * 100)} %`
}
