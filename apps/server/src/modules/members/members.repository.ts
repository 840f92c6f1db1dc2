import type { AccountRole, WorkspaceRole } from '@trellis/contract/core/permissions'
import type { Db } from '@trellis/control-db/database'
import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { GivenAccountRole } from './role-ids.ts'

type WithDb = { readonly db: Db }

export interface WorkspaceRoleGrant {
  workspace_id: number
  role: WorkspaceRole
}

const profileColumns = [
  'profiles.id',
  'profiles.trellis_user_code',
  'profiles.first_name',
  'profiles.surname',
  'profiles.email',
] as const

export async function findMembers(ctx: AccountScope) {
  return await scoped(ctx, 'account_members')
    .innerJoin('profiles', 'profiles.id', 'account_members.profile_id')
    .select([...profileColumns, 'account_members.role'])
    .orderBy(sql`account_members.role = 'owner'`, 'desc')
    .orderBy('profiles.first_name')
    .orderBy('profiles.id')
    .execute()
}

export async function findMember(ctx: AccountScope, profileId: number) {
  return await scoped(ctx, 'account_members')
    .innerJoin('profiles', 'profiles.id', 'account_members.profile_id')
    .select([
      'account_members.profile_id',
      'account_members.role',
      sql<string>`trim(profiles.first_name || ' ' || profiles.surname)`.as('name'),
    ])
    .where('account_members.profile_id', '=', profileId)
    .executeTakeFirst()
}

export async function findAccountRole(
  { db }: WithDb,
  about: { accountId: number; profileId: number },
): Promise<AccountRole | undefined> {
  const row = await db
    .selectFrom('account_members')
    .select('role')
    .where('account_id', '=', about.accountId)
    .where('profile_id', '=', about.profileId)
    .executeTakeFirst()
  return row?.role
}

export async function findGivenRoles(ctx: AccountScope, profileId: number): Promise<WorkspaceRoleGrant[]> {
  return await scoped(ctx, 'workspace_members')
    .select(['workspace_id', 'role'])
    .where('profile_id', '=', profileId)
    .orderBy('workspace_id')
    .execute()
}

export async function updateMemberRoles(
  ctx: AccountScope,
  member: { profileId: number; role: GivenAccountRole; workspaces: readonly WorkspaceRoleGrant[] },
): Promise<void> {
  const { profileId, role, workspaces } = member
  await updateScoped(ctx, 'account_members')
    .set({ role })
    .where('profile_id', '=', profileId)
    .where('role', '!=', 'owner')
    .execute()
  await deleteScoped(ctx, 'workspace_members').where('profile_id', '=', profileId).execute()
  for (const givenWorkspace of workspaces)
    await insertScoped(ctx, 'workspace_members', { ...givenWorkspace, profile_id: profileId }).execute()
}

export async function deleteMember(ctx: AccountScope, profileId: number): Promise<boolean> {
  const done = await deleteScoped(ctx, 'account_members')
    .where('profile_id', '=', profileId)
    .where('role', '!=', 'owner')
    .executeTakeFirst()
  return done.numDeletedRows === 1n
}

/** Demotes first, because of the unique index on the owner. */
export async function moveOwnership(ctx: AccountScope, people: { from: number; to: number }): Promise<boolean> {
  await updateScoped(ctx, 'account_members')
    .set({ role: 'account_admin' })
    .where('profile_id', '=', people.from)
    .where('role', '=', 'owner')
    .execute()
  const done = await updateScoped(ctx, 'account_members')
    .set({ role: 'owner' })
    .where('profile_id', '=', people.to)
    .executeTakeFirst()
  await deleteScoped(ctx, 'workspace_members').where('profile_id', '=', people.to).execute()
  return done.numUpdatedRows === 1n
}

/** Members and open invites; callers hold the account's lock. */
export async function countSeats(ctx: { readonly db: Db | AccountScope['db'] }, accountId: number): Promise<number> {
  const { rows } = await sql<{ seats: number }>`
    select (select count(*) from account_members where account_id = ${accountId})
         + (select count(*) from account_invites where account_id = ${accountId} and accepted_at is null and declined_at is null
              and revoked_at is null and expires_at > now()) as seats`.execute(ctx.db)
  return rows[0]?.seats ?? 0
}

export async function countMembers(ctx: { readonly db: Db | AccountScope['db'] }, accountId: number): Promise<number> {
  const { rows } = await sql<{
    members: number
  }>`select count(*) as members from account_members where account_id = ${accountId}`.execute(ctx.db)
  return rows[0]?.members ?? 0
}

export async function insertMember(
  { db }: WithDb,
  member: { accountId: number; profileId: number; role: GivenAccountRole; workspaces: WorkspaceRoleGrant[] },
): Promise<void> {
  const { accountId, profileId, role, workspaces } = member
  await db
    .insertInto('account_members')
    .values({ account_id: accountId, profile_id: profileId, role })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (workspaces.length === 0) return
  const rows = workspaces.map((givenWorkspace) => ({ ...givenWorkspace, account_id: accountId, profile_id: profileId }))
  await db
    .insertInto('workspace_members')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findMemberEmails(ctx: AccountScope): Promise<Set<string>> {
  const rows = await findMembers(ctx)
  return new Set(rows.map((row) => row.email.toLowerCase()))
}

export async function insertInvite(
  ctx: AccountScope,
  invite: { email: string; role: GivenAccountRole; workspaces: WorkspaceRoleGrant[]; by: number; expiresAt: Date },
): Promise<number> {
  const row = await insertScoped(ctx, 'account_invites', {
    email: invite.email,
    account_role: invite.role,
    workspace_roles: JSON.stringify(invite.workspaces),
    invited_by: invite.by,
    expires_at: invite.expiresAt,
  })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
