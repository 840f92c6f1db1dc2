import { listAccounts, listDeleted } from '@trellis/contract/accounts/accounts.endpoints'
import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { TypedConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { usePlanDetails } from '../billing/billing.queries.ts'
import { useDeleteAccount } from './accounts.queries.ts'
import styles from './accounts.module.css'
import { deletionNotice } from './deletion-notice.ts'

export function DeleteAccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useDeleteAccount()
  const [problem, setProblem] = useState<string>()
  const { data: plan } = usePlanDetails(account.trellis_code)
  const notice = deletionNotice({ ...account, status: plan?.status, next_plan: plan?.next_plan }, new Date())
  const count = account.workspaces.length

  const confirm = async () => {
    setProblem(undefined)
    try {
      await remove.mutateAsync({ params: { account_trellis_code: account.trellis_code } })
    } catch {
      setProblem('Failed to delete account. Please try again.')
      return
    }
    // Navigate first: with the list refetched, the gate would show "not found" here.
    await navigate('/workspaces')
    await Promise.all([listAccounts, listDeleted].map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
  }
  return (
    <TypedConfirmDialog
      title={`Delete ${account.name}?`}
      isBusy={remove.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <ul className={styles.losses}>
        <li>{formatWorkspaceCount(count)}</li>
        <li>
          {notice.before}
          <strong>
            {notice.days} {notice.days === 1 ? 'day' : 'days'}
          </strong>
          {notice.after}
        </li>
        {notice.more.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li>Every member loses access at once.</li>
      </ul>
      <p className={styles.fine}>{notice.restore}</p>
    </TypedConfirmDialog>
  )
}

function formatWorkspaceCount(count: number): string {
  if (count === 0) return 'There is no workspace in this account.'
  if (count === 1) return 'The workspace in this account is deleted and its dataflows are deactivated immediately.'
  return `All ${count} workspaces in this account are deleted and their dataflows are deactivated immediately.`
}
