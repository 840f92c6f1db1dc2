import { type AccountScope, deleteScoped, insertScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import type { Db } from '@trellis/control-db/database'
import type { Tables } from '@trellis/control-db/tables'
import { type Insertable, type Selectable, sql } from 'kysely'

export type TokenRow = Selectable<Tables['integration_tokens']>
export type LinkRow = Selectable<Tables['integration_links']>

export const isConsentOver = ({ consent_expires_at }: TokenRow, now: Date) =>
  consent_expires_at !== null && consent_expires_at <= now

export async function findTokens(ctx: AccountScope, ids: readonly number[]): Promise<Map<number, TokenRow>> {
  if (ids.length === 0) return new Map()
  const rows = await scoped(ctx, 'integration_tokens').selectAll().where('integration_id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.integration_id, row]))
}

/** Others who want to refresh wait here and then find the new token. */
export async function lockTokens(ctx: AccountScope, id: number): Promise<TokenRow | undefined> {
  return await scoped(ctx, 'integration_tokens')
    .selectAll()
    .where('integration_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

type NewTokens = Omit<Insertable<Tables['integration_tokens']>, 'account_id'>

export async function replaceTokens(ctx: AccountScope, row: NewTokens): Promise<void> {
  const { integration_id: _key, ...values } = row
  await insertScoped(ctx, 'integration_tokens', row)
    .onConflict((conflict) =>
      conflict
        .column('integration_id')
        .doUpdateSet({ ...values, generation: sql<number>`integration_tokens.generation + 1` } as never),
    )
    .execute()
}

export async function insertTokensOnce(ctx: AccountScope, row: NewTokens): Promise<void> {
  await insertScoped(ctx, 'integration_tokens', row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateTokens(
  ctx: AccountScope,
  id: number,
  values: { tokens: string; access_expires_at: Date | null; consent_expires_at?: Date },
): Promise<void> {
  await updateScoped(ctx, 'integration_tokens')
    .set({ ...values, generation: sql<number>`generation + 1` as never })
    .where('integration_id', '=', id)
    .execute()
}

export async function deleteTokens(ctx: AccountScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'integration_tokens').where('integration_id', '=', id).execute()
}

export async function deleteLinks(ctx: AccountScope, id: number): Promise<void> {
  await deleteScoped(ctx, 'integration_links').where('integration_id', '=', id).execute()
}

export async function insertLink(
  ctx: AccountScope,
  row: Omit<Insertable<Tables['integration_links']>, 'account_id'>,
): Promise<void> {
  await insertScoped(ctx, 'integration_links', row).execute()
}

/** Called before permissions are known, so it deletes nothing. */
export async function findLink({ db }: { readonly db: Db }, stateHash: string): Promise<LinkRow | undefined> {
  return await db.selectFrom('integration_links').selectAll().where('state_hash', '=', stateHash).executeTakeFirst()
}

/** Deletes it: a state works once. */
export async function consumeLink({ db }: { readonly db: Db }, stateHash: string): Promise<LinkRow | undefined> {
  return await db.deleteFrom('integration_links').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
}
