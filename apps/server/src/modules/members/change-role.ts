import { type WorkspaceRole, toWorkspaceRole } from '@trellis/contract/core/permissions'
import type { MemberAccess, MemberAccessEffect } from '@trellis/contract/members/members.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx } from '../../platform/ctx.ts'
import { lockAccount } from '../../platform/lock-account.ts'
import { emitMemberLeft } from '../database-admin/database-admin.events.ts'
import { type RoleChange, applyMemberRights, planMemberRights } from '../database-admin/member-rights.service.ts'
import { listWorkspaces } from '../workspaces/workspaces.service.ts'
import {
  type WorkspaceRoleGrant,
  deleteMember,
  findGivenRoles,
  findMember,
  updateMemberRoles,
} from './members.repository.ts'
import { parseWorkspaceRoles } from './read-workspace-roles.ts'
import { type GivenAccountRole, getAccountRoleId, findAccountRole, workspaceRoleId } from './role-ids.ts'

interface RequestedAccess {
  readonly account_role_id: number
  readonly workspace_roles: readonly { workspace_trellis_code: string; workspace_role_id: number }[]
}

const notAMemberError = () => new AppError('not_found', 'This person is not a member of the account.')

export async function getMemberAccess(ctx: AccountCtx, profileId: number): Promise<MemberAccess> {
  const member = await findMember(ctx, profileId)
  if (!member) throw notAMemberError()
  const given = new Map(
    (await findGivenRoles(ctx, profileId)).map((givenRole) => [givenRole.workspace_id, givenRole.role]),
  )
  const workspaces = await listWorkspaces(ctx)
  return {
    account_role_id: getAccountRoleId(member.role),
    workspace_roles: workspaces.flatMap(({ id, trellis_code }) => {
      const role = given.get(id)
      return role ? [{ workspace_trellis_code: trellis_code, workspace_role_id: workspaceRoleId(role) }] : []
    }),
  }
}

export async function planMemberAccess(
  ctx: AccountCtx,
  profileId: number,
  wantedRequestedAccess: RequestedAccess,
): Promise<MemberAccessEffect[]> {
  const { changes } = await readChange(ctx, profileId, wantedRequestedAccess)
  const effects: MemberAccessEffect[] = []
  for (const { name, ...change } of changes) {
    effects.push({
      workspace_trellis_code: change.workspace.code,
      workspace_name: name,
      role_before: change.before,
      role_after: change.after,
      database: await planMemberRights(ctx, change),
    })
  }
  return effects
}

export async function updateMemberAccess(
  ctx: AccountCtx,
  profileId: number,
  wantedRequestedAccess: RequestedAccess,
): Promise<MemberAccess> {
  return await transaction(ctx, async (ctx) => {
    await lockAccount(ctx)
    const { member, role, workspaces, changes } = await readChange(ctx, profileId, wantedRequestedAccess)
    await updateMemberRoles(ctx, { profileId, role, workspaces })
    for (const change of changes) await applyMemberRights(ctx, change)
    ctx.http.addAuditDetail({ person: String(profileId), name: member.name, account_role: role, ...describe(changes) })
    return await getMemberAccess(ctx, profileId)
  })
}

function describe(changes: readonly NamedChange[]): { what?: string } {
  const word = (role: WorkspaceRole | null) => role?.replace('workspace_', '') ?? 'no access'
  const parts = changes.map(({ name, before, after }) => `${name}: ${word(before)} → ${word(after)}`)
  return parts.length === 0 ? {} : { what: parts.join(', ').slice(0, 1000) }
}

type NamedChange = RoleChange & { readonly name: string }

async function readChange(
  ctx: AccountCtx,
  profileId: number,
  wantedRequestedAccess: RequestedAccess,
): Promise<{
  member: { name: string }
  role: GivenAccountRole
  workspaces: WorkspaceRoleGrant[]
  changes: NamedChange[]
}> {
  const member = await findMember(ctx, profileId)
  if (!member) throw notAMemberError()
  if (member.role === 'owner')
    throw new AppError('conflict', 'The role of the owner can not be changed. Hand the ownership on first.')
  if (member.role === 'account_admin' && ctx.account.role !== 'owner' && profileId !== ctx.actor.profileId)
    throw new AppError('forbidden', 'Only the owner can change the role of an admin.')
  const role = findAccountRole(wantedRequestedAccess.account_role_id)
  if (!role) throw invalidRoleError('/account_role_id', 'This access level does not exist.')
  const living = await listWorkspaces(ctx)
  const ids = new Map(living.map((workspace) => [workspace.trellis_code, workspace.id]))
  const given = role === 'account_view' ? parseWorkspaceRoles(wantedRequestedAccess.workspace_roles, ids) : []
  if (!given) throw invalidRoleError('/workspace_roles', 'A workspace or role does not exist.')
  if (role === 'account_view' && given.length === 0)
    throw invalidRoleError('/workspace_roles', 'Give access to at least one workspace.')
  const had = new Map(
    (await findGivenRoles(ctx, profileId)).map((givenRole) => [givenRole.workspace_id, givenRole.role]),
  )
  const will = new Map(given.map((workspaceRoleGrant) => [workspaceRoleGrant.workspace_id, workspaceRoleGrant.role]))
  const changes = living.map(({ id, trellis_code, workspace_address, name }) => ({
    profileId,
    name,
    workspace: { id, code: trellis_code, address: workspace_address },
    before: toWorkspaceRole(member.role, had.get(id) ?? null),
    after: toWorkspaceRole(role, will.get(id) ?? null),
  }))
  return { member, role, workspaces: given, changes: changes.filter(({ before, after }) => before !== after) }
}

const invalidRoleError = (pointer: string, detail: string) =>
  new AppError('invalid_request', detail, { source: { pointer } })

/** Not the owner: nobody could delete or hand over the account. */
export async function leaveAccount(ctx: AccountCtx): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    if (!(await deleteMember(ctx, ctx.actor.profileId)))
      throw new AppError('conflict', 'You own this account. Hand the ownership on first, then leave.')
    await emitMemberLeft(ctx)
    return { done: true }
  })
}
