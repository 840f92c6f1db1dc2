const PUBLIC_PATHS = [
  '/',
  '/login',
  '/signup',
  '/activate',
  '/forgot-password',
  '/reset',
  '/sso/callback',
  '/initialize-profile',
]

/** A same-origin path, or null: prevents open redirects and loops back to the sign-in. */
export function parseNextPath(next: string | null | undefined, origin: string): string | null {
  if (!next?.startsWith('/')) return null
  try {
    const url = new URL(next, origin)
    if (url.origin !== origin || url.pathname.startsWith('//') || PUBLIC_PATHS.includes(url.pathname)) return null
    return url.pathname + url.search + url.hash
  } catch {
    return null
  }
}

export function initializePath(next: string | null): string {
  return next === null ? '/initialize-profile' : `/initialize-profile?next=${encodeURIComponent(next)}`
}
