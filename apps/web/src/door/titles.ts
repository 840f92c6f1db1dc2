const TITLES: Record<string, string> = {
  '/signup': 'Create account',
  '/activate': 'Confirm your account',
  '/forgot-password': 'Forgot password',
  '/reset': 'Set a new password',
  '/sso/callback': 'Signing you in',
}

export function titleOf(path: string): string {
  return `${TITLES[path] ?? 'Sign in'} · Trellis`
}
