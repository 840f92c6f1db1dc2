export interface KeySum {
  readonly hash: bigint
  readonly rows: number
  readonly unknown: number
}

export const NO_KEYS: KeySum = { hash: 0n, rows: 0, unknown: 0 }
/** Absorbs every addition. */
export const UNKNOWN_KEYS: KeySum = { hash: 0n, rows: 0, unknown: Number.POSITIVE_INFINITY }

export const addKeySums = (one: KeySum, other: KeySum): KeySum => ({
  hash: one.hash + other.hash,
  rows: one.rows + other.rows,
  unknown: one.unknown + other.unknown,
})

export const subtractKeySums = (one: KeySum, other: KeySum): KeySum => ({
  hash: one.hash - other.hash,
  rows: one.rows - other.rows,
  unknown: one.unknown - other.unknown,
})

/** NaN is sticky in SQL sums: one unknown chunk makes the load unknown. */
export const storedKeys = (keys: KeySum | null): string | null =>
  keys && (keys.unknown === 0 ? String(keys.hash) : 'NaN')
