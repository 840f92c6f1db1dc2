import { listAccounts, listDeleted } from '@trellis/contract/accounts/accounts.endpoints'
import { getRenewalPlans, getUsage, listAccountLimits } from '@trellis/contract/billing/billing.endpoints'
import { listInvited, listMembers, removeInvite, removeMember } from '@trellis/contract/members/members.endpoints'
import { deleteWorkspace } from '@trellis/contract/workspaces/workspaces.endpoints'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

export interface Surplus {
  workspaceAddresses: readonly string[]
  profileIds: readonly number[]
  inviteIds: readonly number[]
}

const STALE = [listAccounts, listDeleted, listAccountLimits, listMembers, listInvited, getUsage, getRenewalPlans]

/** One by one: deletions before a failure stay, and the rest can be retried. */
export function useDeleteSurplus(account_trellis_code: string, ownProfileId: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (surplus: Surplus) => {
      const params = { account_trellis_code }
      for (const workspace_address of surplus.workspaceAddresses)
        await call(deleteWorkspace, { params, query: { workspace_address } })
      for (const receiving_profile_id of surplus.profileIds) {
        const body = { account_trellis_code, granting_profile_id: ownProfileId, receiving_profile_id }
        await call(removeMember, { params, body })
      }
      for (const id of surplus.inviteIds) await call(removeInvite, { params: { account_trellis_code, id } })
    },
    onSettled: () => Promise.all(STALE.map(({ id }) => client.invalidateQueries({ queryKey: [id] }))),
  })
}
