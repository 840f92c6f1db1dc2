import { transaction } from '@trellis/control-db/database'
import { getPlanLimits } from '@trellis/contract/billing/plans'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { inviteMail } from '../../platform/mail/templates/invite.ts'
import { lockAccount } from '../../platform/lock-account.ts'
import { hasProfiles } from '../identity/identity.service.ts'
import { notifyByEmail } from '../notifications/notifications.service.ts'
import { findWorkspaceIds } from '../workspaces/workspaces.service.ts'
import { findOpenInvite, findOpenInviteById, renewInvite, revokeInvite } from './invites.repository.ts'
import { countSeats, findMemberEmails, insertInvite } from './members.repository.ts'
import { parseWorkspaceRoles } from './read-workspace-roles.ts'
import { type GivenAccountRole, findAccountRole } from './role-ids.ts'

const INVITE_DAYS = 7
const NOTED_CHARACTERS = 1000

interface Request {
  user_email: string
  account_role_id: number
  workspace_roles: { workspace_trellis_code: string; workspace_role_id: number }[]
}
type Result = { status: boolean; message: string }

const inviteExpiry = (ctx: AccountCtx) => new Date(ctx.clock.now().getTime() + INVITE_DAYS * 86_400_000)

export async function inviteMembers(ctx: AccountCtx, requests: Request[]): Promise<Record<string, Result>> {
  return await transaction(ctx, async (ctx) => {
    const account = await lockAccount(ctx)
    const limit = getPlanLimits(account.account_type).seats
    const members = await findMemberEmails(ctx)
    const workspaceIds = await findWorkspaceIds(ctx)
    const results: Record<string, Result> = {}
    for (const request of requests) {
      const email = request.user_email
      if (Object.keys(results).some((known) => known.toLowerCase() === email.toLowerCase())) continue
      const problem = await findProblem(ctx, { request, members, workspaceIds, limit })
      results[email] = problem ? { status: false, message: problem } : await invite(ctx, request, workspaceIds)
    }
    const invited = Object.entries(results).flatMap(([email, { status }]) => (status ? [email] : []))
    ctx.http.addAuditDetail({ name: invited.join(', ').slice(0, NOTED_CHARACTERS) })
    return results
  })
}

interface InvitationContext {
  request: Request
  members: Set<string>
  workspaceIds: Map<string, number>
  limit: number | null
}

async function findProblem(
  ctx: AccountCtx,
  { request, members, workspaceIds, limit }: InvitationContext,
): Promise<string | undefined> {
  const role = findAccountRole(request.account_role_id)
  if (!role) return 'This access level does not exist.'
  if (members.has(request.user_email.toLowerCase())) return 'This person is a member already.'
  const givenWorkspaceRoles = parseWorkspaceRoles(request.workspace_roles, workspaceIds)
  if (!givenWorkspaceRoles) return 'A workspace or role in the invite does not exist.'
  if (role === 'account_view' && givenWorkspaceRoles.length === 0) return 'Give access to at least one workspace.'
  const open = await findOpenInvite(ctx, request.user_email)
  if (open && !open.is_expired) return 'An invite to this address is open already. Resend it from the list of members.'
  if (limit !== null && (await countSeats(ctx, ctx.account.id)) >= limit) return 'Users limit reached'
  if (open) await revokeInvite(ctx, open.id)
  return undefined
}

async function invite(ctx: AccountCtx, request: Request, workspaceIds: Map<string, number>): Promise<Result> {
  const role = findAccountRole(request.account_role_id) as GivenAccountRole
  const workspaces = role === 'account_view' ? (parseWorkspaceRoles(request.workspace_roles, workspaceIds) ?? []) : []
  await insertInvite(ctx, {
    email: request.user_email,
    role,
    workspaces,
    by: ctx.actor.profileId,
    expiresAt: inviteExpiry(ctx),
  })
  await sendInvite(ctx, request.user_email)
  return { status: true, message: 'Invite Sent' }
}

async function sendInvite(ctx: AccountCtx, email: string): Promise<void> {
  const { name } = await lockAccount(ctx)
  const inviter = `${ctx.actor.firstName} ${ctx.actor.surname}`.trim()
  const mail = inviteMail({
    accountName: name,
    inviter,
    email,
    days: INVITE_DAYS,
    hasProfile: await hasProfiles(ctx, email),
    publicUrl: ctx.ports.config.publicUrl,
  })
  await queueMail(ctx, { to: email, mail })
  await notifyByEmail(ctx, email, {
    account_id: ctx.account.id,
    workspace_id: null,
    kind: 'invited',
    title: '{inviter} invited you to {account}',
    detail: `Accept or decline within ${INVITE_DAYS} days.`,
    path: '/profile/invites',
    group_key: `invited:${ctx.account.id}`,
  })
}

export async function resendInvite(ctx: AccountCtx, inviteId: number): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const account = await lockAccount(ctx)
    const invite = await findOpenInviteById(ctx, inviteId)
    if (!invite) throw new AppError('not_found', 'This invite was answered or withdrawn already.')
    const limit = getPlanLimits(account.account_type).seats
    if (invite.is_expired && limit !== null && (await countSeats(ctx, ctx.account.id)) >= limit) {
      throw new AppError('limit_reached', 'Users limit reached')
    }
    await renewInvite(ctx, inviteId, inviteExpiry(ctx))
    await sendInvite(ctx, invite.email)
    ctx.http.addAuditDetail({ name: invite.email })
    return { done: true }
  })
}
