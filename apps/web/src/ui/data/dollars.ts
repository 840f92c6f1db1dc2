/** `$950.00`, `$2.50`, `$3,000.00`: always with cents, so that amounts below each other line up and read alike. */
export function formatDollars(amount: number): string {
  return amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
