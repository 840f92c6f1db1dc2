import { formatTimeLeft } from './plan-notice.ts'

const toStorageKey = (place: string) => `trellis.plan-expiry.${place}`

/** In sessionStorage, per workspace. */
export function dismissExpiry(place: string): void {
  sessionStorage.setItem(toStorageKey(place), 'dismissed')
}

export function isExpiryDismissed(place: string): boolean {
  return sessionStorage.getItem(toStorageKey(place)) !== null
}

export function formatExpiry(end: string | null | undefined, now: Date): string | null {
  if (!end) return null
  const left = Date.parse(end) - now.getTime()
  return left > 0 ? formatTimeLeft(left) : null
}
