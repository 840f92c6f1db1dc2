import { useEffect, useState } from 'react'
import { Outlet, useParams } from 'react-router'
import { AccessEndedPage, NotFoundPage } from '../../app/errors/ErrorPage.tsx'
import { dismissToast, showToast } from '../../ui/feedback/toasts.ts'
import { useAccounts, useCurrentAccount } from '../accounts/accounts.queries.ts'
import { dismissExpiry, formatExpiry, isExpiryDismissed } from './plan-expiry.ts'
import { usePlanEnd } from './workspaces.queries.ts'

export function Component() {
  const account = useCurrentAccount()
  const { isFetching } = useAccounts()
  const { workspace: address } = useParams()
  const workspace = account.workspaces.find((candidate) => candidate.workspace_address === address)
  const [entered, setEntered] = useState(workspace)
  if (workspace && workspace.trellis_code !== entered?.trellis_code) setEntered(workspace)
  // A new workspace is in no list yet.
  if (!workspace && isFetching) return null
  if (!workspace)
    return entered && entered.workspace_address === address ? <AccessEndedPage name={entered.name} /> : <NotFoundPage />
  return (
    <>
      <PlanExpiryBar accountCode={account.trellis_code} address={workspace.workspace_address} />
      <Outlet />
    </>
  )
}

function PlanExpiryBar({ accountCode, address }: { accountCode: string; address: string }) {
  const { data } = usePlanEnd({ account_trellis_code: accountCode, workspace_address: address })
  const text = formatExpiry(data?.stripe_plan_end_date, new Date())
  const workspacePath = `${accountCode}/${address}`
  useEffect(() => {
    if (text === null || isExpiryDismissed(workspacePath)) return undefined
    const id = showToast({ text, tone: 'warning', place: 'centre', onDismiss: () => dismissExpiry(workspacePath) })
    return () => dismissToast(id)
  }, [text, workspacePath])
  return null
}
