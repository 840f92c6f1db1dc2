const padTwoDigits = (value: number) => String(value).padStart(2, '0')

export function localTime(instant: string | null): string {
  if (instant === null) return ''
  const date = new Date(instant)
  return `${date.getFullYear()}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}T${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}`
}

export function parseLocalTime(text: string): string | null {
  const date = new Date(text)
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

const SOON_MS = 7 * 86_400_000

export type ExpiryState = 'works' | 'soon' | 'over'

export function getExpiryState(expiresAt: string | null, now: Date): ExpiryState {
  if (expiresAt === null) return 'works'
  const left = new Date(expiresAt).getTime() - now.getTime()
  if (left <= 0) return 'over'
  return left < SOON_MS ? 'soon' : 'works'
}
