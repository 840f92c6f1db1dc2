import { acceptInvite, listOwnInvites, removeInvite } from '@trellis/contract/members/members.endpoints'
import type { Invite } from '@trellis/contract/members/members.schemas'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'
import { storeNotice } from '../../app/session/handover.ts'

const FAILED = 'Something went wrong, try again.'

export function useOwnInvites() {
  return useQuery(apiQuery(listOwnInvites, {}))
}

export function isOpen(invite: Invite): boolean {
  return !invite.has_accepted && !invite.has_declined && !invite.has_expired
}

/** Reloads: joining changes what the person can see everywhere. */
export function useAnswerInvite() {
  const navigate = useNavigate()
  const accept = useApiMutation(acceptInvite, {
    errorText: FAILED,
    onSuccess: () => {
      storeNotice({ tone: 'success', text: 'Invite accepted' })
      location.assign('/workspaces')
    },
  })
  const decline = useApiMutation(removeInvite, {
    invalidates: [listOwnInvites],
    errorText: FAILED,
    onSuccess: () => void navigate('/account/invite-declined'),
  })
  const account = (invite: Invite) => invite.account_info.account.trellis_code
  return {
    isBusy: accept.isPending || decline.isPending || accept.isSuccess,
    accept: (invite: Invite) =>
      accept.mutate({ params: { account_trellis_code: account(invite), account_invite_id: invite.id } }),
    decline: (invite: Invite) => decline.mutate({ params: { account_trellis_code: account(invite), id: invite.id } }),
  }
}
