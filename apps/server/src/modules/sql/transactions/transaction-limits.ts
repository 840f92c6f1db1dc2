/** Without a statement for so long, what an open transaction has locked stays locked for nothing. */
export const IDLE_LIMIT_MS = 5 * 60_000
export const MAX_OPEN_MS = 15 * 60_000
/** A workspace has four sessions at a time: half of them stay for everybody else. */
export const MAX_OPEN_PER_WORKSPACE = 2
