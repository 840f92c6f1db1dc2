/** Paths of the product itself; no account code can take them. */
const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  '',
  'login',
  'signup',
  'activate',
  'forgot-password',
  'reset',
  'sso',
  'initialize-profile',
  'workspaces',
  'profile',
  'account',
  'deactivated-account',
  'create-account',
  'plan-select',
  'plan-activation',
  'docs',
  'mailbox',
  'design',
  'api',
  'auth',
  'report',
  'assets',
  'simulators',
])

export interface RouteLocation {
  account: string | undefined
  workspace: string | undefined
  rest: readonly string[]
}

const ACCOUNT_PAGES = new Set(['settings', 'plan-change', 'create-workspace'])

export function parsePath(pathname: string): RouteLocation {
  const [first = '', second, ...rest] = pathname.split('/').filter(Boolean)
  if (RESERVED_SEGMENTS.has(first)) return { account: undefined, workspace: undefined, rest: [] }
  if (second === undefined || ACCOUNT_PAGES.has(second))
    return { account: first, workspace: undefined, rest: second ? [second, ...rest] : [] }
  return { account: first, workspace: second, rest }
}
