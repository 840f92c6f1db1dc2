import type { Usage } from '@trellis/contract/billing/billing.schemas'
import { daysText, daysUntil, gigabytes } from '../amounts.ts'

export interface UsageLine {
  key: 'month' | 'purchased' | 'free' | 'storage' | 'users' | 'workspaces'
  label: string
  used: number
  limit: number | null
  isBytes: boolean
  note: string | undefined
}

/** Credits are counted down on the wire and up on the screen. Free ones are shown only where some were given. */
export function usageLines(usage: Usage, now: Date): UsageLine[] {
  const line = (key: UsageLine['key'], label: string, more: Partial<UsageLine>): UsageLine => ({
    key,
    label,
    used: 0,
    limit: null,
    isBytes: false,
    note: undefined,
    ...more,
  })
  const free = usage.trellis_free_ai_tokens_available
  return [
    line('month', 'Monthly prompt credits', {
      used: usage.trellis_current_month_ai_tokens_available - usage.trellis_current_month_ai_tokens_remaining,
      limit: usage.trellis_current_month_ai_tokens_available,
      note: `Credits renew in ${daysText(daysUntil(usage.credits_renew_at, now))}.`,
    }),
    line('purchased', 'Add-on credits', {
      used: usage.trellis_purchased_ai_tokens_available - usage.trellis_purchased_ai_tokens_remaining,
      limit: usage.trellis_purchased_ai_tokens_available,
      note: 'Add-on credits roll over to the next month.',
    }),
    ...(free === 0
      ? []
      : [line('free', 'Free credits', { used: free - usage.trellis_free_ai_tokens_remaining, limit: free })]),
    line('storage', 'Database storage', {
      used: usage.trellis_managed_database_storage_used,
      limit: usage.trellis_managed_database_storage_available,
      isBytes: true,
    }),
    line('users', 'User seats', { used: usage.users, limit: usage.users_limit, note: 'Members and open invites.' }),
    line('workspaces', 'Workspaces', { used: usage.workspaces, limit: usage.workspaces_limit }),
  ]
}

export function amountText({ isBytes }: Pick<UsageLine, 'isBytes'>): (value: number) => string {
  return isBytes ? gigabytes : (value) => value.toLocaleString('en-US')
}
