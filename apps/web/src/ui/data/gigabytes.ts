export const GIGABYTE = 1_073_741_824

/** `61.25 GB`: always two decimals, so that numbers below each other line up. */
export function formatGigabytes(bytes: number): string {
  const amount = bytes / GIGABYTE
  return `${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} GB`
}

/** `50 GB`, for amounts that are whole by nature. */
export function roundGigabytes(bytes: number): string {
  return `${(bytes / GIGABYTE).toLocaleString('en-US', { maximumFractionDigits: 2 })} GB`
}
