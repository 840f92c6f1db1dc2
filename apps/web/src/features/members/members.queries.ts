import { listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import { getUsage } from '@trellis/contract/billing/billing.endpoints'
import {
  getMemberAccess,
  inviteMembers,
  listAccountRoles,
  listInvited,
  listMembers,
  listWorkspaceMembers,
  listWorkspaceRoles,
  planMemberAccess,
  removeInvite,
  removeMember,
  resendInvite,
  updateMemberAccess,
} from '@trellis/contract/members/members.endpoints'
import { useQuery } from '@tanstack/react-query'
import type { WorkspaceAddress } from '../../api/workspace-address.ts'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

export function useMembers(account_trellis_code: string) {
  return useQuery(apiQuery(listMembers, { params: { account_trellis_code } }))
}

export function useInvited(account_trellis_code: string, canSee: boolean) {
  return useQuery({ ...apiQuery(listInvited, { params: { account_trellis_code } }), enabled: canSee })
}

export function useSeats(account_trellis_code: string) {
  return useQuery(apiQuery(getUsage, { params: { account_trellis_code } }))
}

export function useWorkspaceMembers(params: WorkspaceAddress) {
  return useQuery(apiQuery(listWorkspaceMembers, { params }))
}

export function useRoles() {
  const account = useQuery(apiQuery(listAccountRoles, {}))
  const workspace = useQuery(apiQuery(listWorkspaceRoles, {}))
  return { account, workspace }
}

const changed = [listMembers, listInvited, getUsage]

export function useInviteMembers() {
  return useApiMutation(inviteMembers, { invalidates: [listInvited, getUsage] })
}

export function useResendInvite() {
  return useApiMutation(resendInvite, {
    invalidates: [listInvited, getUsage],
    successText: 'Invite successfully sent.',
    errorText: 'Failed to send invite. Please try again.',
  })
}

export function useRemoveMember() {
  return useApiMutation(removeMember, {
    invalidates: [...changed, listWorkspaceMembers, listAccounts],
    successText: 'Member successfully removed.',
  })
}

export function useMemberAccess(params: { account_trellis_code: string; profile_id: number }) {
  return useQuery({ ...apiQuery(getMemberAccess, { params }), staleTime: 0 })
}

export function usePlanMemberAccess() {
  return useApiMutation(planMemberAccess)
}

export function useUpdateMemberAccess() {
  return useApiMutation(updateMemberAccess, {
    invalidates: [listMembers, listWorkspaceMembers, listAccounts, getMemberAccess],
    successText: 'Role successfully changed.',
  })
}

export function useTakeBackInvite() {
  return useApiMutation(removeInvite, { invalidates: changed, successText: 'Member successfully removed.' })
}
