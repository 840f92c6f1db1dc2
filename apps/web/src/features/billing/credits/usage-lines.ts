import type { Usage } from '@trellis/contract/billing/billing.schemas'
import { formatGigabytes } from '../../../ui/data/gigabytes.ts'
import type { UsageLine } from '../../../ui/feedback/UsageBars.tsx'
import { formatDays, daysUntil } from '../amounts.ts'

const count = (value: number) => value.toLocaleString('en-US')

/** The API returns remaining credits, the screen shows used ones. Free credits are hidden when there were none. */
export function usageLines(usage: Usage, now: Date): UsageLine[] {
  const free = usage.trellis_free_ai_tokens_available
  const lines: UsageLine[] = [
    {
      key: 'month',
      label: 'Monthly prompt credits',
      used: usage.trellis_current_month_ai_tokens_available - usage.trellis_current_month_ai_tokens_remaining,
      limit: usage.trellis_current_month_ai_tokens_available,
      format: count,
      note: `Credits renew in ${formatDays(daysUntil(usage.credits_renew_at, now))}.`,
    },
    {
      key: 'purchased',
      label: 'Add-on credits',
      used: usage.trellis_purchased_ai_tokens_available - usage.trellis_purchased_ai_tokens_remaining,
      limit: usage.trellis_purchased_ai_tokens_available,
      format: count,
      note: 'Add-on credits roll over to the next month.',
      none: 'None bought',
    },
    {
      key: 'free',
      label: 'Free credits',
      used: free - usage.trellis_free_ai_tokens_remaining,
      limit: free,
      format: count,
    },
    {
      key: 'storage',
      label: 'Database storage',
      used: usage.trellis_managed_database_storage_used,
      limit: usage.trellis_managed_database_storage_available,
      format: formatGigabytes,
    },
    {
      key: 'users',
      label: 'User seats',
      used: usage.users,
      limit: usage.users_limit,
      format: count,
      note: 'Members and open invites.',
      isPlaces: true,
    },
    {
      key: 'workspaces',
      label: 'Workspaces',
      used: usage.workspaces,
      limit: usage.workspaces_limit,
      format: count,
      isPlaces: true,
    },
  ]
  return lines.filter(({ key, limit }) => key !== 'free' || limit !== 0)
}
