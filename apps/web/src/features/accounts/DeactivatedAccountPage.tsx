import { isPlanOver } from '@trellis/contract/billing/plans'
import { CircleOff } from 'lucide-react'
import { useEffect } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { findPageSetting } from '../../app/page-setting.ts'
import type { PlanSelectState } from '../../app/plan-select-state.ts'
import { Button, ButtonLink } from '../../ui/actions/Button.tsx'
import { FullNotice } from '../../ui/feedback/FullNotice.tsx'
import { canIn, useAccounts, useCachedAccounts } from './accounts.queries.ts'
import { ExpiredAccountOptions } from './ExpiredAccountOptions.tsx'

export function Component() {
  const accountCode = (useLocation().state as { account?: unknown } | null)?.account
  const navigate = useNavigate()
  const { data: refreshedAccounts, refetch } = useAccounts()
  const account = useCachedAccounts().find((candidate) => candidate.trellis_code === accountCode)
  const support = findPageSetting('support')
  // The plan may have been renewed in another tab.
  useEffect(() => void refetch(), [refetch])

  // Opened by its URL, without an account in the navigation state.
  if (accountCode === undefined) return <Navigate to="/create-account" replace />
  if (!account) return <Navigate to="/workspaces" replace />
  if (refreshedAccounts && !isPlanOver(account, new Date())) return <Navigate to="/workspaces" replace />
  const state: PlanSelectState = { account: { trellis_code: account.trellis_code, name: account.name } }
  return (
    <>
      <FullNotice
        icon={<CircleOff />}
        tone="danger"
        title="Account deactivated"
        actions={
          <>
            {canIn(account, 'billing:write') && (
              <Button variant="primary" onClick={() => void navigate('/plan-select', { state })}>
                Reactivate plan
              </Button>
            )}
            <ButtonLink to="/workspaces">Back to workspace selection</ButtonLink>
          </>
        }
      >
        <p>You no longer have access to this account as the billing plan has expired or has been cancelled.</p>
        {canIn(account, 'billing:write') ? null : (
          <p>Ask an owner or admin of {account.name} to reactivate the plan.</p>
        )}
        {support && (
          <p>
            Questions? Contact support at <a href={`mailto:${support}`}>{support}</a>.
          </p>
        )}
      </FullNotice>
      <ExpiredAccountOptions account={account} />
    </>
  )
}
