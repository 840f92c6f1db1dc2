import { formatTimeLeft } from './plan-notice.ts'

const toStorageKey = (workspacePath: string) => `trellis.plan-expiry.${workspacePath}`

/** In sessionStorage, per workspace. */
export function dismissExpiry(workspacePath: string): void {
  sessionStorage.setItem(toStorageKey(workspacePath), 'dismissed')
}

export function isExpiryDismissed(workspacePath: string): boolean {
  return sessionStorage.getItem(toStorageKey(workspacePath)) !== null
}

export function formatExpiry(end: string | null | undefined, now: Date): string | null {
  if (!end) return null
  const left = Date.parse(end) - now.getTime()
  return left > 0 ? formatTimeLeft(left) : null
}
