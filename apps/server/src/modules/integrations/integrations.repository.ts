import { type AnyDb, type Db, platformTables } from '@trellis/control-db/database'
import { type AccountScope, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import type { Tables } from '@trellis/control-db/tables'
import { type Insertable, type Selectable, type Updateable, sql } from 'kysely'

export type IntegrationRow = Selectable<Tables['integrations']>

type WithDb = { readonly db: Db }
type Workspace = { readonly workspaceId: number }

export const toAccountScope = (ctx: { readonly db: AnyDb }, accountId: number): AccountScope => ({
  db: platformTables(ctx),
  account: { id: accountId },
})

export async function findIntegrations(
  ctx: AccountScope,
  where: Workspace & { platformCodes?: readonly string[] | undefined },
): Promise<IntegrationRow[]> {
  return await scoped(ctx, 'integrations')
    .selectAll()
    .where('workspace_id', '=', where.workspaceId)
    .where('state', '<>', 'ARCHIVED')
    .$if(where.platformCodes !== undefined, (query) =>
      query.where((is) => is('platform_code', '=', sql<string>`any(${where.platformCodes ?? []}::text[])`)),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .execute()
}

export async function countIntegrations(ctx: AccountScope, { workspaceId }: Workspace): Promise<number> {
  const row = await scoped(ctx, 'integrations')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('state', '<>', 'ARCHIVED')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function findIntegration(
  ctx: AccountScope,
  { workspaceId, code }: Workspace & { code: string },
): Promise<IntegrationRow | undefined> {
  return await scoped(ctx, 'integrations')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('trellis_code', '=', code)
    .where('state', '<>', 'ARCHIVED')
    .executeTakeFirst()
}

export async function lockIntegration(ctx: AccountScope, id: number): Promise<IntegrationRow | undefined> {
  return await scoped(ctx, 'integrations')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'ARCHIVED')
    .forUpdate()
    .executeTakeFirst()
}

export async function insertIntegration(
  ctx: AccountScope,
  values: Omit<Insertable<Tables['integrations']>, 'account_id'>,
): Promise<IntegrationRow> {
  return (await insertScoped(ctx, 'integrations', values).returningAll().executeTakeFirstOrThrow()) as IntegrationRow
}

export async function updateIntegrationRow(
  ctx: AccountScope,
  id: number,
  values: Updateable<Tables['integrations']>,
): Promise<IntegrationRow> {
  return (await updateScoped(ctx, 'integrations')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()) as IntegrationRow
}

/** Results of older checks are discarded from now on. */
export async function raiseValidation(
  ctx: AccountScope,
  id: number,
  values: Updateable<Tables['integrations']>,
): Promise<IntegrationRow> {
  return (await updateScoped(ctx, 'integrations')
    .set({ ...values, validation_number: sql<number>`validation_number + 1` as never, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()) as IntegrationRow
}

export interface NewEvent {
  readonly integrationId: number
  readonly profileId: number | null
  readonly what: string
}

export async function insertEvent(ctx: AccountScope, event: NewEvent): Promise<void> {
  await insertScoped(ctx, 'integration_events', {
    integration_id: event.integrationId,
    profile_id: event.profileId,
    what: event.what.slice(0, 1000),
  }).execute()
}

export async function findEvents(
  ctx: AccountScope,
  integrationId: number,
): Promise<{ at: Date; who: string | null; what: string }[]> {
  const rows = await scoped(ctx, 'integration_events')
    .leftJoin('profiles', 'profiles.id', 'integration_events.profile_id')
    .select(['integration_events.at', 'integration_events.what', 'profiles.first_name', 'profiles.surname'])
    .where('integration_events.integration_id', '=', integrationId)
    .orderBy('integration_events.id', 'desc')
    .limit(50)
    .execute()
  return rows.map(({ at, what, first_name, surname }) => ({
    at,
    what,
    who: first_name === null ? null : `${first_name} ${surname ?? ''}`.trim(),
  }))
}

export async function findIntegrationRow({ db }: WithDb, id: number): Promise<IntegrationRow | undefined> {
  return await db
    .selectFrom('integrations')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'ARCHIVED')
    .executeTakeFirst()
}

/** False if a newer check was requested or it was ended meanwhile. */
export async function finishValidation(
  ctx: AccountScope,
  check: { id: number; number: number },
  values: Updateable<Tables['integrations']>,
): Promise<boolean> {
  const { numUpdatedRows } = await updateScoped(ctx, 'integrations')
    .set(values)
    .where('id', '=', check.id)
    .where('validation_number', '=', check.number)
    .where('validation', '=', 'VALIDATING')
    .where('state', '<>', 'ARCHIVED')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function findStuck(
  { db }: WithDb,
  before: Date,
): Promise<{ id: number; account_id: number; validation_number: number }[]> {
  return await db
    .selectFrom('integrations')
    .select(['id', 'account_id', 'validation_number'])
    .where('validation', '=', 'VALIDATING')
    .where('validation_started_at', '<', before)
    .limit(500)
    .execute()
}

export async function deleteOldLinks({ db }: WithDb, before: Date): Promise<void> {
  await db.deleteFrom('integration_links').where('expires_at', '<', before).execute()
}

/** The workspace's own database is a connection without a row of its own. */
export async function readWorkspaceName(
  ctx: AccountScope,
  workspaceId: number,
): Promise<{ name: string; created_at: Date }> {
  return await scoped(ctx, 'workspaces')
    .select(['name', 'created_at'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
}
