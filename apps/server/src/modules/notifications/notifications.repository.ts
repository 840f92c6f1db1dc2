import type { Digest } from '@trellis/contract/notifications/notifications.endpoints'
import type { AnyDb, Db } from '@trellis/control-db/database'
import type { ScopedTables } from '@trellis/control-db/tables'
import { type Selectable, sql } from 'kysely'

export type NotificationRow = Selectable<ScopedTables['notifications']>
type WithDb = { readonly db: Db }

export interface NewNotification {
  readonly account_id: number
  readonly workspace_id: number | null
  readonly kind: NotificationRow['kind']
  /** `{account}` and `{inviter}` are filled in when shown. */
  readonly title: string
  readonly detail: string
  readonly path: string
  readonly group_key: string
  /** Deleted with the comment, and shows its current text. */
  readonly spark_comment_id?: number
  readonly at: Date
}

export async function insertNotifications(
  { db }: { readonly db: AnyDb },
  profileIds: readonly number[],
  row: NewNotification,
): Promise<void> {
  await sql`
    insert into notifications (profile_id, account_id, workspace_id, kind, title, detail, path, group_key,
      spark_comment_id, at)
    select p.id, ${row.account_id}, ${row.workspace_id}, ${row.kind}, ${row.title}, ${row.detail}, ${row.path},
           ${row.group_key}, ${row.spark_comment_id ?? null}::bigint, ${row.at}
      from profiles p where p.id = any(${profileIds}::bigint[])
    on conflict (profile_id, group_key) where read_at is null do update
      set count = notifications.count + 1, title = excluded.title, detail = excluded.detail, path = excluded.path,
          at = excluded.at, mailed_at = null`.execute(db)
}

export async function deleteCommentNotifications(
  { db }: { readonly db: AnyDb },
  profileIds: readonly number[],
  commentId: number,
): Promise<void> {
  await sql`delete from notifications
    where spark_comment_id = ${commentId} and profile_id = any(${profileIds}::bigint[])`.execute(db)
}

export async function findProfileIds({ db }: { readonly db: AnyDb }, email: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from profiles where lower(email) = lower(${email})`.execute(db)
  return rows.map(({ id }) => id)
}

/** Hidden after losing access; invites until answered. */
const IS_VISIBLE = sql<boolean>`case when n.kind = 'invited' then exists (
    select from account_invites i join profiles invited on lower(invited.email) = lower(i.email)
     where i.account_id = n.account_id and invited.id = n.profile_id
       and i.accepted_at is null and i.declined_at is null and i.revoked_at is null)
  else exists (
    select from account_members m join accounts a on a.id = m.account_id and a.deleted_at is null
     where m.account_id = n.account_id and m.profile_id = n.profile_id
       and (n.workspace_id is null or exists (
         select from workspaces w where w.id = n.workspace_id and w.deleted_at is null))
       and (n.workspace_id is null or m.role <> 'account_view' or exists (
         select from workspace_members wm where wm.workspace_id = n.workspace_id and wm.profile_id = n.profile_id)))
  end`

const TITLE = sql<string>`case when n.kind in ('invited', 'storage', 'credits') then replace(replace(n.title,
    '{account}', (select a.name from accounts a where a.id = n.account_id)),
    '{inviter}', coalesce((select trim(by.first_name || ' ' || by.surname) from account_invites i
      join profiles by on by.id = i.invited_by join profiles invited on lower(invited.email) = lower(i.email)
      where i.account_id = n.account_id and invited.id = n.profile_id order by i.id desc limit 1), ''))
  else n.title end`

const DETAIL = sql<string>`coalesce((select case when length(c.text) > 200 then left(c.text, 199) || '…' else c.text end
  from spark_comments c where c.id = n.spark_comment_id), n.detail)`

export async function findNotifications({ db }: WithDb, profileId: number, limit: number): Promise<NotificationRow[]> {
  return await db
    .selectFrom('notifications as n')
    .selectAll()
    .select([TITLE.as('title'), DETAIL.as('detail')])
    .where('n.profile_id', '=', profileId)
    .where(IS_VISIBLE)
    .orderBy('n.at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .execute()
}

export async function markRead(
  { db }: WithDb,
  profileId: number,
  { ids, now }: { ids: readonly number[] | undefined; now: Date },
): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ read_at: now })
    .where('profile_id', '=', profileId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids?.length ? [...ids] : [-1]))
    .execute()
}

export async function findDigest({ db }: WithDb, profileId: number): Promise<Digest> {
  const row = await db.selectFrom('profiles').select('digest').where('id', '=', profileId).executeTakeFirstOrThrow()
  return row.digest
}

export async function setDigest({ db }: WithDb, profileId: number, digest: Digest): Promise<void> {
  await db.updateTable('profiles').set({ digest }).where('id', '=', profileId).execute()
}

export interface UnmailedNotification extends NotificationRow {
  readonly email: string
  readonly first_name: string
}

export async function findUnmailed({ db }: WithDb, digests: readonly Digest[]): Promise<UnmailedNotification[]> {
  return await db
    .selectFrom('notifications as n')
    .innerJoin('profiles as p', 'p.id', 'n.profile_id')
    .selectAll('n')
    .select(['p.email', 'p.first_name', TITLE.as('title'), DETAIL.as('detail')])
    .where('p.digest', 'in', digests)
    .where('n.read_at', 'is', null)
    .where('n.mailed_at', 'is', null)
    .where(IS_VISIBLE)
    .orderBy('n.profile_id')
    .orderBy('n.at', 'desc')
    .execute()
}

export async function markMailed({ db }: WithDb, ids: readonly number[], now: Date): Promise<void> {
  await db.updateTable('notifications').set({ mailed_at: now }).where('id', 'in', ids).execute()
}

export async function deleteOldNotifications({ db }: WithDb, before: Date): Promise<void> {
  await db.deleteFrom('notifications').where('at', '<', before).execute()
}
