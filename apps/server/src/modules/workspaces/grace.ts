export const GRACE_DAYS = 7
