const TITLES: Record<string, string> = {
  '/signup': 'Create account',
  '/activate': 'Account confirmation',
  '/forgot-password': 'Forgot password',
  '/reset': 'Reset password',
  '/sso/callback': 'Signing you in',
}

export function formatTitle(path: string): string {
  return `${TITLES[path] ?? 'Sign in'} · Trellis`
}
