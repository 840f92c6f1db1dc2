import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/actions/Button.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useLeaveAccount } from './accounts.queries.ts'

interface Props {
  account: Account
  onClose: () => void
}

export function LeaveAccountDialog({ account, onClose }: Props) {
  return account.role === 'owner' ? (
    <OwnerStays account={account} onClose={onClose} />
  ) : (
    <ConfirmLeave account={account} onClose={onClose} />
  )
}

function OwnerStays({ account, onClose }: Props) {
  const navigate = useNavigate()
  const goToOwnership = () => {
    onClose()
    void navigate(`/${account.trellis_code}/settings?tab=details`)
  }
  return (
    <Dialog
      title={`Leave ${account.name}?`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={goToOwnership}>
            Hand the ownership on
          </Button>
        </>
      }
    >
      <p>You own this account. Hand the ownership on first, then leave.</p>
    </Dialog>
  )
}

function ConfirmLeave({ account, onClose }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const leave = useLeaveAccount()
  const [problem, setProblem] = useState<string>()
  const confirm = async () => {
    setProblem(undefined)
    try {
      await leave.mutateAsync({ params: { account_trellis_code: account.trellis_code } })
    } catch {
      setProblem('Failed to leave the account. Please try again.')
      return
    }
    showToast({ tone: 'success', text: `You left ${account.name}.` })
    // Navigate first: with the list refetched, the gate would show "access has ended" here.
    await navigate('/workspaces')
    await client.invalidateQueries({ queryKey: [listAccounts.id] })
  }
  return (
    <ConfirmDialog
      title={`Leave ${account.name}?`}
      confirmLabel="Leave account"
      isBusy={leave.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {`You lose access to ${account.name} and its workspaces at once, and your database credentials stop working. What you made stays. To come back you need a new invite.`}
    </ConfirmDialog>
  )
}
