export interface KeySum {
  readonly hash: bigint
  readonly rows: number
  readonly unknown: number
}

export const NO_KEYS: KeySum = { hash: 0n, rows: 0, unknown: 0 }
/** Absorbs every addition. */
export const UNKNOWN_KEYS: KeySum = { hash: 0n, rows: 0, unknown: Number.POSITIVE_INFINITY }

export const addKeySums = (keySum: KeySum, other: KeySum): KeySum => ({
  hash: keySum.hash + other.hash,
  rows: keySum.rows + other.rows,
  unknown: keySum.unknown + other.unknown,
})

export const subtractKeySums = (keySum: KeySum, other: KeySum): KeySum => ({
  hash: keySum.hash - other.hash,
  rows: keySum.rows - other.rows,
  unknown: keySum.unknown - other.unknown,
})

/** NaN is sticky in SQL sums: one unknown chunk makes the load unknown. */
export const toStoredHash = (keys: KeySum | null): string | null =>
  keys && (keys.unknown === 0 ? String(keys.hash) : 'NaN')
