import * as calls from '@trellis/contract/members/members.endpoints'
import { handle } from '../../http/handle.ts'
import { acceptInvite, listOwnInvites, removeInvite } from './answer-invite.ts'
import { getMemberAccess, leaveAccount, planMemberAccess, updateMemberAccess } from './change-role.ts'
import { inviteMembers, resendInvite } from './invite-members.ts'
import { listInvited, listMembers, removeMember } from './members.service.ts'
import { listWorkspaceMembers } from '../workspace-members/workspace-members.service.ts'
import { ACCOUNT_ROLE_LIST, WORKSPACE_ROLE_LIST } from './role-ids.ts'

export const membersRoutes = [
  handle(calls.listAccountRoles, async () => ACCOUNT_ROLE_LIST),
  handle(calls.listWorkspaceRoles, async () => WORKSPACE_ROLE_LIST),
  handle(calls.listMembers, (_, ctx) => listMembers(ctx)),
  handle(calls.listInvited, (_, ctx) => listInvited(ctx)),
  handle(calls.inviteMembers, ({ body }, ctx) => inviteMembers(ctx, body)),
  handle(calls.resendInvite, ({ params }, ctx) => resendInvite(ctx, params.account_invite_id)),
  handle(calls.removeMember, ({ body }, ctx) => removeMember(ctx, body.receiving_profile_id)),
  handle(calls.getMemberAccess, ({ params }, ctx) => getMemberAccess(ctx, params.profile_id)),
  handle(calls.planMemberAccess, ({ params, body }, ctx) => planMemberAccess(ctx, params.profile_id, body)),
  handle(calls.updateMemberAccess, ({ params, body }, ctx) => updateMemberAccess(ctx, params.profile_id, body)),
  handle(calls.leaveAccount, (_, ctx) => leaveAccount(ctx)),
  handle(calls.listOwnInvites, (_, ctx) => listOwnInvites(ctx)),
  handle(calls.acceptInvite, ({ params }, ctx) =>
    acceptInvite(ctx, { accountCode: params.account_trellis_code, id: params.account_invite_id }),
  ),
  handle(calls.removeInvite, ({ params }, ctx) =>
    removeInvite(ctx, { accountCode: params.account_trellis_code, id: params.id }),
  ),
  handle(calls.listWorkspaceMembers, (_, ctx) => listWorkspaceMembers(ctx)),
]
