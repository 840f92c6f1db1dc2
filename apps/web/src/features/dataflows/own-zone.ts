export const getOwnZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
