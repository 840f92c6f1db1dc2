import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'
import { type AccountScope, scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export async function findWorkspaceMembers(ctx: AccountScope, workspaceId: number) {
  return await scoped(ctx, 'account_members')
    .innerJoin('profiles', 'profiles.id', 'account_members.profile_id')
    .leftJoin('workspace_members', (join) =>
      join
        .onRef('workspace_members.profile_id', '=', 'account_members.profile_id')
        .on('workspace_members.workspace_id', '=', workspaceId),
    )
    .select([
      'profiles.id',
      'profiles.trellis_user_code',
      'profiles.first_name',
      'profiles.surname',
      'profiles.email',
      'account_members.role',
      'workspace_members.role as given',
    ])
    .orderBy('profiles.first_name')
    .orderBy('profiles.id')
    .execute()
}

interface RoleRow {
  readonly workspace_id: number
  readonly profile_id: number
  readonly role: AccountRole
  readonly given: WorkspaceRole | null
}

export async function findRolesInWorkspaces(
  { db, account }: AccountScope,
  places: readonly { workspaceId: number; profileId: number }[],
): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select distinct given.workspace_id, given.profile_id, m.role, w.role as given
      from unnest(${places.map(({ workspaceId }) => workspaceId)}::bigint[],
                  ${places.map(({ profileId }) => profileId)}::bigint[]) as given(workspace_id, profile_id)
      join account_members m on m.account_id = ${account.id} and m.profile_id = given.profile_id
      left join workspace_members w on w.workspace_id = given.workspace_id and w.profile_id = given.profile_id`.execute(
    db,
  )
  return rows
}
