import type { WorkspaceRole } from '@trellis/contract/core/permissions'
import type { AccountCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { managedCode, openDatabase } from '../../platform/workspace-database/open-database.ts'
import { type StoredAccess, deleteProfile, findStoredAccess, updateProfile } from './access.repository.ts'
import { changeAccess } from './access-state.ts'
import { refreshFirewall } from './firewall-state.ts'
import { showLogins } from './logins/logins.ts'
import { NO_RIGHTS, type Rights, computeRights, findMemberProfile, listLost } from './member-rights.ts'

export interface RoleChange {
  readonly profileId: number
  readonly workspace: { readonly id: number; readonly code: string; readonly address: string }
  readonly before: WorkspaceRole | null
  readonly after: WorkspaceRole | null
}

export interface RightsEffect {
  readonly is_removed: boolean
  readonly logins: string[]
  readonly roles_lost: string[]
  readonly roles_gained: string[]
}

const toWorkspaceCtx = (ctx: AccountCtx, { workspace }: RoleChange): WorkspaceCtx => ({
  ...ctx,
  workspace: { ...workspace, role: 'workspace_admin' },
})
const toDatabaseKey = ({ workspace }: RoleChange) => ({
  workspaceId: workspace.id,
  integrationCode: managedCode(workspace.code),
})
const rightsAfter = ({ before, after }: RoleChange, storedAccess: StoredAccess, held: Rights): Rights =>
  after === null ? NO_RIGHTS : computeRights(storedAccess, held, { before, after })

export async function planMemberRights(ctx: AccountCtx, change: RoleChange): Promise<RightsEffect | null> {
  const storedAccess = await findStoredAccess(ctx, toDatabaseKey(change))
  const profile = findMemberProfile(storedAccess, change.profileId)
  if (!profile) return null
  const after = rightsAfter(change, storedAccess, profile)
  const database = await openDatabase(toWorkspaceCtx(ctx, change), managedCode(change.workspace.code))
  return {
    is_removed: change.after === null,
    logins: showLogins(database, profile).map((login) => login.user_name),
    roles_lost: listLost(storedAccess, profile, after),
    roles_gained: listLost(storedAccess, after, profile),
  }
}

/** In the caller's transaction; the database follows before the commit. */
export async function applyMemberRights(ctx: AccountCtx, change: RoleChange): Promise<void> {
  const knownProfileRow = findMemberProfile(await findStoredAccess(ctx, toDatabaseKey(change)), change.profileId)
  if (!knownProfileRow) return
  const workspaceCtx = toWorkspaceCtx(ctx, change)
  const code = managedCode(change.workspace.code)
  await changeAccess(workspaceCtx, code, async (ctx, _database, storedAccess) => {
    const profile = findMemberProfile(storedAccess, change.profileId)
    if (profile && change.after === null) await deleteProfile(ctx, profile.id)
    else if (profile) {
      const { role_ids, group_ids } = rightsAfter(change, storedAccess, profile)
      await updateProfile(ctx, profile.id, { role_ids, group_ids })
    }
    return { result: undefined }
  })
  if (change.after === null) await refreshFirewall(workspaceCtx, await openDatabase(workspaceCtx, code))
}
