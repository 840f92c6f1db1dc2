import type { AccessToken, TokenScope } from '@trellis/contract/tokens/tokens.endpoints'

export const SCOPES: readonly { value: TokenScope; label: string; hint: string }[] = [
  { value: 'read', label: 'Read', hint: 'See what you see.' },
  { value: 'write', label: 'Write', hint: 'Create and change things in your workspaces.' },
  { value: 'run', label: 'Run', hint: 'Start, stop and retry runs of dataflows.' },
  { value: 'admin', label: 'Admin', hint: 'Manage accounts, members and workspaces.' },
]

export const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'No expiry' },
]

export function formatScopes(scopes: readonly TokenScope[]): string {
  return SCOPES.filter(({ value }) => scopes.includes(value))
    .map(({ label }) => label)
    .join(', ')
}

export type TokenStanding = 'never' | 'running' | 'soon' | 'over'

const SOON = 7 * 86_400_000

/** Expired tokens stay listed, to explain why a program stopped. */
export function getExpiryState({ expires_at }: Pick<AccessToken, 'expires_at'>, now: Date): TokenStanding {
  if (expires_at === null) return 'never'
  const left = Date.parse(expires_at) - now.getTime()
  if (left <= 0) return 'over'
  return left <= SOON ? 'soon' : 'running'
}
