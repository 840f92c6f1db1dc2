import type { Member } from '@trellis/contract/members/members.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx } from '../../platform/ctx.ts'
import { emitMemberLeft } from '../database-admin/database-admin.events.ts'
import { toProfile } from '../workspace-members/workspace-members.service.ts'
import { toInvite } from './answer-invite.ts'
import { listUnusedInvites } from './invites.repository.ts'
import { deleteMember, findMember, findMembers, moveOwnership } from './members.repository.ts'
import { getAccountRoleId } from './role-ids.ts'

export async function listMembers(ctx: AccountCtx): Promise<Member[]> {
  const rows = await findMembers(ctx)
  return rows.map((row) => ({
    is_owner: row.role === 'owner',
    role_id: getAccountRoleId(row.role),
    account_trellis_code: ctx.account.code,
    profile: toProfile(row),
  }))
}

export async function listInvited(ctx: AccountCtx) {
  return (await listUnusedInvites(ctx)).map((row) => toInvite(row))
}

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
    ctx.http.addAuditDetail({ name: member.name })
    await emitMemberLeft(ctx)
    return { done: true }
  })
}

export async function transferOwnership(ctx: AccountCtx, profileId: number): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    if (profileId === ctx.actor.profileId) throw new AppError('conflict', 'You are the owner already.')
    const receiver = await findMember(ctx, profileId)
    if (!receiver) throw new AppError('not_found', 'This person is not a member of the account.')
    await moveOwnership(ctx, { from: ctx.actor.profileId, to: profileId })
    ctx.http.addAuditDetail({ name: receiver.name })
    return { done: true }
  })
}

export { countSeats } from './members.repository.ts'
