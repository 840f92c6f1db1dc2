import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'
import type { Db } from '@trellis/control-db/database'

export interface ProfileRoles {
  readonly accountRole: AccountRole
  readonly workspaceRole: WorkspaceRole | null
  readonly accountCode: string
  readonly workspaceAddress: string
}

/** Undefined if the person, the workspace or the membership is gone. */
export async function findProfileRoles(
  { db }: { readonly db: Db },
  at: { readonly account_id: number; readonly workspace_id: number; readonly profile_id: number },
): Promise<ProfileRoles | undefined> {
  const row = await db
    .selectFrom('workspaces as w')
    .innerJoin('accounts as a', 'a.id', 'w.account_id')
    .innerJoin('account_members as m', (join) =>
      join.onRef('m.account_id', '=', 'a.id').on('m.profile_id', '=', at.profile_id),
    )
    .leftJoin('workspace_members as wm', (join) =>
      join.onRef('wm.workspace_id', '=', 'w.id').on('wm.profile_id', '=', at.profile_id),
    )
    .select(['m.role as accountRole', 'wm.role as workspaceRole', 'a.trellis_code as accountCode'])
    .select('w.workspace_address as workspaceAddress')
    .where('w.id', '=', at.workspace_id)
    .where('a.id', '=', at.account_id)
    .where('w.deleted_at', 'is', null)
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst()
  return row as ProfileRoles | undefined
}
