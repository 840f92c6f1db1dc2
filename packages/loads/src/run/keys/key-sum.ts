/** Hashes of keys, added up so that the order of rows does not matter. */
export interface KeySum {
  readonly hash: bigint
  readonly rows: number
  /** Rows with values of which it is not known how they are written in the table. */
  readonly unknown: number
}

export const NO_KEYS: KeySum = { hash: 0n, rows: 0, unknown: 0 }
/** Nothing can be said any more, whatever is added. */
export const UNKNOWN_KEYS: KeySum = { hash: 0n, rows: 0, unknown: Number.POSITIVE_INFINITY }

export const plus = (one: KeySum, other: KeySum): KeySum => ({
  hash: one.hash + other.hash,
  rows: one.rows + other.rows,
  unknown: one.unknown + other.unknown,
})

export const minus = (one: KeySum, other: KeySum): KeySum => ({
  hash: one.hash - other.hash,
  rows: one.rows - other.rows,
  unknown: one.unknown - other.unknown,
})

/** A number that is none stays none in every sum of the database: one chunk that is not known leaves the whole load so. */
export const storedKeys = (keys: KeySum | null): string | null =>
  keys && (keys.unknown === 0 ? String(keys.hash) : 'NaN')
