import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { useState } from 'react'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { useProfile } from '../profile/profile.queries.ts'
import type { MemberRow } from './member-rows.ts'
import { useRemoveMember, useTakeBackInvite } from './members.queries.ts'

export function RemoveMemberDialog({
  account,
  row,
  onClose,
}: {
  account: Account
  row: MemberRow
  onClose: () => void
}) {
  const me = useProfile()
  const remove = useRemoveMember()
  const takeBack = useTakeBackInvite()
  const [problem, setProblem] = useState<string>()
  const account_trellis_code = account.trellis_code
  const params = { account_trellis_code }
  const confirm = async () => {
    setProblem(undefined)
    try {
      if (row.inviteId !== undefined) await takeBack.mutateAsync({ params: { ...params, id: row.inviteId } })
      else {
        await remove.mutateAsync({
          params,
          body: { account_trellis_code, granting_profile_id: me.id, receiving_profile_id: row.profileId ?? 0 },
        })
      }
      onClose()
    } catch {
      setProblem('Failed to remove member. Please try again.')
    }
  }
  return (
    <ConfirmDialog
      title={`Remove ${row.name || row.email}?`}
      confirmLabel="Remove"
      isBusy={remove.isPending || takeBack.isPending}
      error={problem}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {row.inviteId === undefined
        ? `${row.name} loses access to ${account.name} and its workspaces with their next click, and their database credentials stop working. What they made stays.`
        : `The invite to ${row.email} can no longer be used.`}
    </ConfirmDialog>
  )
}
