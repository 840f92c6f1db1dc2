import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import type { ProfileRow, StoredLogin } from './access.repository.ts'

type WithDb = { readonly db: Db }

export interface SweptProfile {
  readonly id: number
  readonly account_id: number
  readonly workspace_id: number
  readonly integration_code: string
  readonly trellis_code: string
  readonly kind: ProfileRow['kind']
  readonly slug: string
  readonly login_name: string | null
  readonly logins: readonly StoredLogin[]
  readonly expires_at: Date | null
  readonly has_left: boolean
}

export async function findProfiles({ db }: WithDb, id: number | null = null): Promise<SweptProfile[]> {
  const { rows } = await sql<SweptProfile>`
    select p.id, p.account_id, p.workspace_id, p.integration_code, p.trellis_code, p.kind, p.slug,
           p.login_name, p.logins, p.expires_at,
           p.kind = 'member' and not exists (
             select from account_members a
              left join workspace_members m on m.profile_id = a.profile_id and m.workspace_id = p.workspace_id
              where a.account_id = p.account_id and a.profile_id = p.profile_id
                and (a.role <> 'account_view' or m.role is not null)) as has_left
      from database_profiles p where ${id}::bigint is null or p.id = ${id} order by p.id`.execute(db)
  return rows
}

export interface SweptWorkspace {
  readonly id: number
  readonly account_id: number
  readonly trellis_code: string
  readonly database_key: string
  readonly cluster_id: number
  readonly is_deleted: boolean
}

/** Without those on their way to another cluster, which would keep the others waiting. */
export async function findSweptWorkspaces({ db }: WithDb): Promise<SweptWorkspace[]> {
  const { rows } = await sql<SweptWorkspace>`
    select w.id, w.account_id, w.trellis_code, w.database_key, w.cluster_id,
           w.deleted_at is not null or a.deleted_at is not null as is_deleted
      from workspaces w join accounts a on a.id = w.account_id
     where w.database_key is not null and w.state = 'online'
       and not exists (select 1 from workspace_moves m where m.workspace_id = w.id and m.state <> 'abandoned')
     order by w.id`.execute(db)
  return rows
}

export async function deleteLeftProfile({ db }: WithDb, id: number): Promise<void> {
  await db.deleteFrom('database_profiles').where('id', '=', id).execute()
}

/** One statement, so that a concurrent rotation does not lose its login. */
export async function dropEndedLogins({ db }: WithDb, id: number, now: Date): Promise<void> {
  await sql`
    update database_profiles set logins = coalesce(
      (select jsonb_agg(login) from jsonb_array_elements(logins) as login
        where login ->> 'ends_at' is null or (login ->> 'ends_at')::timestamptz > ${now}), '[]')
     where id = ${id}`.execute(db)
}

/** Call under the workspace's access lock, so that a concurrent rotation does not lose its login. */
export async function setLogins({ db }: WithDb, id: number, logins: readonly StoredLogin[]): Promise<void> {
  await db
    .updateTable('database_profiles')
    .set({ logins: JSON.stringify(logins) })
    .where('id', '=', id)
    .execute()
}

export async function markSeen({ db }: WithDb, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('database_profiles')
    .set({ last_seen_at: at })
    .where('id', 'in', [...ids])
    .execute()
}
