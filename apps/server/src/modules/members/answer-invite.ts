import { getPlanLimits } from '@trellis/contract/billing/plans'
import type { Invite } from '@trellis/contract/members/members.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx } from '../../platform/ctx.ts'
import { lockAccountById } from '../../platform/lock-account.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { assertPlanUsable } from '../billing/plan-gate.service.ts'
import { omitDeletedWorkspaces } from '../workspaces/workspaces.service.ts'
import { type InviteRow, closeInvite, findInvite, findInvitesTo, claimInvite } from './invites.repository.ts'
import { countMembers, findAccountRole, insertMember } from './members.repository.ts'
import { getAccountRoleId } from './role-ids.ts'

interface InvitePath {
  accountCode: string
  id: number
}

const inviteNotFoundError = () => new AppError('not_found', 'There is no such invite for you.')
const isMine = (ctx: ProfileCtx, invite: { email: string }) =>
  invite.email.toLowerCase() === ctx.actor.email.toLowerCase()

export function toInvite(row: InviteRow): Invite {
  return {
    id: row.id,
    account_info: { account: { name: row.account_name, trellis_code: row.account_code } },
    inviting_profile: { first_name: row.first_name, surname: row.surname, email: row.inviter_email },
    invited_at: row.invited_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    has_accepted: row.accepted_at !== null,
    has_expired: row.is_expired,
    has_declined: row.declined_at !== null,
    profile_email: row.email,
    account_role_id: getAccountRoleId(row.account_role),
  }
}

export async function listOwnInvites(ctx: ProfileCtx): Promise<Invite[]> {
  const rows = await findInvitesTo(ctx, ctx.actor.email)
  return rows.map((row) => toInvite(row))
}

/** Checks everything again: address, expiry, the inviter's permission and the seat. */
export async function acceptInvite(ctx: ProfileCtx, path: InvitePath): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const invite = await findInvite(ctx, path)
    if (!invite || !isMine(ctx, invite)) throw inviteNotFoundError()
    const account = await lockAccountById(ctx, invite.account_id)
    await assertPlanUsable(ctx, invite.account_id)
    const over = (detail: string) => new AppError('invite_over', detail)
    const inviterRole = await findAccountRole(ctx, { accountId: invite.account_id, profileId: invite.invited_by })
    if (inviterRole !== 'owner' && inviterRole !== 'account_admin') {
      throw over('Whoever invited you may not invite people any more. Ask for a new invite.')
    }
    if (!(await claimInvite(ctx, invite.id)))
      throw over('This invite was used, taken back or has expired. Ask for a new one.')
    const limit = getPlanLimits(account.account_type).seats
    if (limit !== null && (await countMembers(ctx, invite.account_id)) >= limit)
      throw new AppError('limit_reached', 'Users limit reached')
    await insertMember(ctx, {
      accountId: invite.account_id,
      profileId: ctx.actor.profileId,
      role: invite.account_role,
      workspaces: await omitDeletedWorkspaces(ctx, invite.workspace_roles),
    })
    await auditAnswer(ctx, invite, 'inviteAccepted')
    return { done: true }
  })
}

/** Declined by the invited person or withdrawn by an admin; not_found for others. */
export async function removeInvite(ctx: ProfileCtx, path: InvitePath): Promise<{ done: true }> {
  const invite = await findInvite(ctx, path)
  if (!invite) throw inviteNotFoundError()
  const role = await findAccountRole(ctx, { accountId: invite.account_id, profileId: ctx.actor.profileId })
  const how = isMine(ctx, invite)
    ? 'declined_at'
    : role === 'owner' || role === 'account_admin'
      ? 'revoked_at'
      : undefined
  if (!how || !(await closeInvite(ctx, invite.id, how))) throw inviteNotFoundError()
  await auditAnswer(ctx, invite, how === 'declined_at' ? 'inviteDeclined' : 'inviteTakenBack')
  return { done: true }
}

async function auditAnswer(
  ctx: ProfileCtx,
  invite: { account_id: number; email: string },
  action: string,
): Promise<void> {
  await writeAudit(ctx, {
    action,
    outcome: 'done',
    accountId: invite.account_id,
    detail: { name: invite.email },
    profileId: ctx.actor.profileId,
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  })
}
