/** An idle transaction holds its locks. */
export const IDLE_LIMIT_MS = 5 * 60_000
export const MAX_OPEN_MS = 15 * 60_000
export const MAX_OPEN_PER_WORKSPACE = 2
