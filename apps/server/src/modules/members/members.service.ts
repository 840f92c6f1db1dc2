import type { Member } from '@trellis/contract/members/members.schemas'
import { WORKSPACE_ROLES, type WorkspaceRole, workspaceRoleOf } from '@trellis/contract/core/permissions'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { memberLeft } from '../database-admin/database-admin.events.ts'
import { toInvite } from './answer-invite.ts'
import { findInvitesOf } from './invites.repository.ts'
import {
  deleteMember,
  findMember,
  findMembers,
  findRolesInWorkspaces,
  findWorkspaceMembers,
  moveOwnership,
} from './members.repository.ts'
import { accountRoleId } from './role-ids.ts'

interface PersonRow {
  id: number
  trellis_user_code: string
  first_name: string
  surname: string
  email: string
}

const profileOf = ({ id, trellis_user_code, first_name, surname, email }: PersonRow) => ({
  id,
  trellis_user_code,
  first_name,
  surname,
  email,
  verified_email: true,
})

export async function listMembers(ctx: AccountCtx): Promise<Member[]> {
  const rows = await findMembers(ctx)
  return rows.map((row) => ({
    is_owner: row.role === 'owner',
    role_id: accountRoleId(row.role),
    account_trellis_code: ctx.account.code,
    profile: profileOf(row),
  }))
}

export async function listInvited(ctx: AccountCtx) {
  return (await findInvitesOf(ctx)).map((row) => toInvite(row))
}

export async function listWorkspaceMembers(ctx: WorkspaceCtx) {
  const rows = await findWorkspaceMembers(ctx, ctx.workspace.id)
  return rows.flatMap((row) => {
    const role = workspaceRoleOf(row.role, row.given)
    return role ? [{ role, profile: profileOf(row) }] : []
  })
}

interface RolePlace {
  readonly workspace: { readonly id: number; readonly role: WorkspaceRole }
  readonly profileId: number
}

/** Whether each person still may what they might when this began: for work that goes on after its call. */
export async function listKeptRoles(
  ctx: Pick<WorkspaceCtx, 'db' | 'account'>,
  people: readonly RolePlace[],
): Promise<boolean[]> {
  const places = people.map(({ workspace, profileId }) => ({ workspaceId: workspace.id, profileId }))
  const rows = await findRolesInWorkspaces(ctx, places)
  return people.map(({ workspace, profileId }) => {
    const row = rows.find((one) => one.workspace_id === workspace.id && one.profile_id === profileId)
    const role = row ? workspaceRoleOf(row.role, row.given) : null
    return role !== null && WORKSPACE_ROLES.indexOf(role) <= WORKSPACE_ROLES.indexOf(workspace.role)
  })
}

export async function hasKeptRole(ctx: Pick<WorkspaceCtx, 'db' | 'account' | 'workspace' | 'actor'>): Promise<boolean> {
  const [isKept] = await listKeptRoles(ctx, [{ workspace: ctx.workspace, profileId: ctx.actor.profileId }])
  return isKept === true
}

/** The owner stays; an admin is removed by the owner alone, or leaves by themselves. */
export async function removeMember(ctx: AccountCtx, profileId: number): Promise<{ done: true }> {
  const member = await findMember(ctx, profileId)
  if (!member) throw new AppError('not_found', 'This person is not a member of the account.')
  if (member.role === 'owner')
    throw new AppError('forbidden', 'The owner can not be removed. Hand the ownership on first.')
  const isSelf = profileId === ctx.actor.profileId
  if (member.role === 'account_admin' && ctx.account.role !== 'owner' && !isSelf) {
    throw new AppError('forbidden', 'Only the owner can remove an admin.')
  }
  return await transaction(ctx, async (ctx) => {
    if (!(await deleteMember(ctx, profileId)))
      throw new AppError('not_found', 'This person is not a member of the account.')
    ctx.wire.note({ name: member.name })
    await memberLeft(ctx)
    return { done: true }
  })
}

export async function transferOwnership(ctx: AccountCtx, profileId: number): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    if (profileId === ctx.actor.profileId) throw new AppError('conflict', 'You are the owner already.')
    const receiver = await findMember(ctx, profileId)
    if (!receiver) throw new AppError('not_found', 'This person is not a member of the account.')
    await moveOwnership(ctx, { from: ctx.actor.profileId, to: profileId })
    ctx.wire.note({ name: receiver.name })
    return { done: true }
  })
}

export { countSeats } from './members.repository.ts'
