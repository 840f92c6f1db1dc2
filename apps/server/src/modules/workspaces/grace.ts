/** How long a deleted account or workspace can be brought back. */
export const GRACE_DAYS = 7
