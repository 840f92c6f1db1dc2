import * as z from 'zod/mini'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, Done, WorkspaceParams } from '../core/shapes.ts'
import {
  Invite,
  InviteIdParams,
  InviteParams,
  InviteRequest,
  InviteResults,
  Member,
  MemberAccess,
  MemberAccessChange,
  MemberAccessEffect,
  MemberParams,
  RemoveUser,
  Role,
  WorkspaceMember,
} from './members.schemas.ts'

const feature = 'members'
const params = AccountParams

export const listAccountRoles = defineEndpoint({
  id: 'listAccountRoles',
  feature,
  permission: 'profile:self',
  method: 'GET',
  path: '/roles/account-roles',
  summary: 'Roles in an account',
  response: z.array(Role),
})
export const listWorkspaceRoles = defineEndpoint({
  id: 'listWorkspaceRoles',
  feature,
  permission: 'profile:self',
  method: 'GET',
  path: '/roles/workspace-roles',
  summary: 'Roles in a workspace',
  response: z.array(Role),
})
export const listMembers = defineEndpoint({
  id: 'listMembers',
  feature,
  permission: 'members:read',
  method: 'GET',
  path: '/:account_trellis_code/profiles',
  summary: 'Members of the account',
  params,
  response: z.array(Member),
})
export const listInvited = defineEndpoint({
  id: 'listInvited',
  feature,
  permission: 'members:write',
  method: 'GET',
  path: '/:account_trellis_code/invited_users',
  summary: 'Invites of the account and what became of them',
  params,
  response: z.array(Invite),
})
export const inviteMembers = defineEndpoint({
  id: 'inviteMembers',
  feature,
  permission: 'members:write',
  method: 'POST',
  path: '/:account_trellis_code/invite',
  summary: 'Invite people by e-mail; answers for each e-mail what became of it',
  params,
  body: InviteRequest,
  response: InviteResults,
  creates: true,
})
export const resendInvite = defineEndpoint({
  id: 'resendInvite',
  feature,
  permission: 'members:write',
  method: 'POST',
  path: '/:account_trellis_code/resend_invite/:account_invite_id',
  summary: 'Send an open or expired invite again',
  params: InviteParams,
  response: Done,
  creates: true,
  errors: ['not_found', 'limit_reached'],
})
export const removeMember = defineEndpoint({
  id: 'removeMember',
  feature,
  permission: 'members:write',
  method: 'PATCH',
  path: '/:account_trellis_code/remove_user',
  summary: 'Remove a member; their access ends with their next request',
  params,
  body: RemoveUser,
  response: Done,
  errors: ['not_found', 'forbidden'],
  worksWhenPlanIsOver: true,
})
export const getMemberAccess = defineEndpoint({
  id: 'getMemberAccess',
  feature,
  permission: 'members:write',
  method: 'GET',
  path: '/:account_trellis_code/profiles/:profile_id/access',
  summary: 'What a member may do in the account and in each workspace',
  params: MemberParams,
  response: MemberAccess,
  errors: ['not_found'],
})
export const planMemberAccess = defineEndpoint({
  id: 'planMemberAccess',
  feature,
  permission: 'members:write',
  method: 'POST',
  path: '/:account_trellis_code/profiles/:profile_id/access/plan',
  summary: 'What other roles would change for a member and their database logins; changes nothing',
  params: MemberParams,
  body: MemberAccessChange,
  response: z.array(MemberAccessEffect),
  errors: ['not_found', 'forbidden', 'conflict'],
  quiet: true,
})
export const updateMemberAccess = defineEndpoint({
  id: 'updateMemberAccess',
  feature,
  permission: 'members:write',
  method: 'PUT',
  path: '/:account_trellis_code/profiles/:profile_id/access',
  summary: 'Change the roles of a member; sessions and database logins follow at once',
  params: MemberParams,
  body: MemberAccessChange,
  response: MemberAccess,
  errors: ['not_found', 'forbidden', 'conflict', 'unavailable'],
})
export const leaveAccount = defineEndpoint({
  id: 'leaveAccount',
  feature,
  permission: 'account:leave',
  method: 'POST',
  path: '/:account_trellis_code/leave',
  summary: 'Leave the account; access and database logins end at once',
  params,
  response: Done,
  errors: ['conflict'],
  worksWhenPlanIsOver: true,
})
export const listOwnInvites = defineEndpoint({
  id: 'listOwnInvites',
  feature,
  permission: 'profile:self',
  method: 'GET',
  path: '/profile-token/invites',
  summary: 'Invites waiting for me',
  response: z.array(Invite),
})
export const acceptInvite = defineEndpoint({
  id: 'acceptInvite',
  feature,
  permission: 'invite:answer',
  method: 'POST',
  path: '/:account_trellis_code/accept-invite/:account_invite_id',
  summary: 'Accept an invite sent to my e-mail',
  params: InviteParams,
  response: Done,
  errors: ['not_found', 'invite_over', 'limit_reached', 'plan_expired'],
})
export const removeInvite = defineEndpoint({
  id: 'removeInvite',
  feature,
  permission: 'invite:answer',
  method: 'DELETE',
  path: '/:account_trellis_code/invite/:id',
  summary: 'Decline an invite of mine, or take back one of an account I administer',
  params: InviteIdParams,
  response: Done,
  errors: ['not_found'],
})
export const listWorkspaceMembers = defineEndpoint({
  id: 'listWorkspaceMembers',
  feature,
  permission: 'workspace:read',
  method: 'GET',
  path: '/:account_trellis_code/:workspace_address/profiles',
  summary: 'Who may enter this workspace',
  params: WorkspaceParams,
  response: z.array(WorkspaceMember),
})

export const membersEndpoints = [
  listAccountRoles,
  listWorkspaceRoles,
  listMembers,
  listInvited,
  inviteMembers,
  resendInvite,
  removeMember,
  getMemberAccess,
  planMemberAccess,
  updateMemberAccess,
  leaveAccount,
  listOwnInvites,
  acceptInvite,
  removeInvite,
  listWorkspaceMembers,
]
