/** The time zone of whoever sits at this browser. */
export const getOwnZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
