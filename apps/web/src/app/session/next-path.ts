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

/** A path of this site to go on to after sign-in, or null. Anything that could lead elsewhere or back here is dropped. */
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

/** Where a signed-in person goes first. */
export function initializePath(next: string | null): string {
  return next === null ? '/initialize-profile' : `/initialize-profile?next=${encodeURIComponent(next)}`
}
