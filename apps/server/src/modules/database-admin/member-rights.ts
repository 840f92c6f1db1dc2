import type { WorkspaceRole } from '@trellis/contract/core/permissions'
import type { BUILT_IN_SLUGS } from '@trellis/workspace-db/roles/access-names'
import type { Template } from '@trellis/workspace-db/roles/templates'
import type { ProfileRow, RoleRow, StoredAccess } from './access.repository.ts'

const TEMPLATE_RANKS: Record<Template, number> = { reader: 1, analyst: 1, bi: 1, writer: 2, loader: 2, admin: 3 }
const ROLE_RANKS: Record<WorkspaceRole, number> = { workspace_viewer: 1, workspace_editor: 2, workspace_admin: 3 }
const BUILT_IN_OF: Record<WorkspaceRole, (typeof BUILT_IN_SLUGS)[number]> = {
  workspace_viewer: 'read',
  workspace_editor: 'write',
  workspace_admin: 'rule',
}

export interface Rights {
  readonly role_ids: readonly number[]
  readonly group_ids: readonly number[]
}

const rankRole = (role: RoleRow) => Math.max(0, ...role.grants.map((grant) => TEMPLATE_RANKS[grant.template]))

/** Removes rights beyond the new workspace role and replaces the old role's built-in role; other grants are kept. */
export function computeRights(
  { roles, groups }: Pick<StoredAccess, 'roles' | 'groups'>,
  profile: Rights,
  { before, after }: { before: WorkspaceRole | null; after: WorkspaceRole },
): Rights {
  if (before === after) return profile
  const findBuiltIn = (role: WorkspaceRole) =>
    roles.find((roleRow) => roleRow.is_built_in && roleRow.slug === BUILT_IN_OF[role])?.id
  const rankById = new Map(roles.map((role) => [role.id, rankRole(role)]))
  const fits = (ids: readonly number[]) => ids.every((id) => (rankById.get(id) ?? 0) <= ROLE_RANKS[after])
  const old = before === null ? undefined : findBuiltIn(before)
  const kept = profile.role_ids.filter((id) => id !== old && fits([id]))
  const keptGroups = profile.group_ids.filter((id) => fits(groups.find((group) => group.id === id)?.role_ids ?? []))
  const hasLost = kept.length < profile.role_ids.length || keptGroups.length < profile.group_ids.length
  const next = findBuiltIn(after)
  const gained = hasLost && next !== undefined && !kept.includes(next) ? [next] : []
  return { role_ids: [...gained, ...kept], group_ids: keptGroups }
}

export function listLost(storedAccess: StoredAccess, from: Rights, to: Rights): string[] {
  const roles = storedAccess.roles.filter(({ id }) => from.role_ids.includes(id) && !to.role_ids.includes(id))
  const groups = storedAccess.groups.filter(({ id }) => from.group_ids.includes(id) && !to.group_ids.includes(id))
  return [...roles, ...groups].map(({ name }) => name)
}

export const NO_RIGHTS: Rights = { role_ids: [], group_ids: [] }

export const findMemberProfile = (storedAccess: StoredAccess, profileId: number): ProfileRow | undefined =>
  storedAccess.profiles.find((profile) => profile.kind === 'member' && profile.profile_id === profileId)
