import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

export interface Credential {
  readonly integrationId: number
  readonly accountId: number
}

export interface Spacing {
  readonly costMs: number
  readonly burstMs: number
}

export async function reserveCall(db: Db, { integrationId, accountId }: Credential, spacing: Spacing): Promise<number> {
  const { costMs, burstMs } = spacing
  const { rows } = await sql<{ wait_ms: number }>`
    insert into integration_budgets as b (integration_id, account_id, free_at)
    values (${integrationId}, ${accountId}, clock_timestamp() + ${costMs}::float8 * interval '1 millisecond')
    on conflict (integration_id) do update set free_at =
      greatest(b.free_at, clock_timestamp(), b.paused_until) + ${costMs}::float8 * interval '1 millisecond'
    returning (extract(epoch from
      greatest(free_at - ${costMs + burstMs}::float8 * interval '1 millisecond', paused_until, clock_timestamp())
      - clock_timestamp()) * 1000)::float8 as wait_ms
  `.execute(db)
  return Math.ceil(rows[0]?.wait_ms ?? 0)
}

export async function isPaused(db: Db, { integrationId }: Credential): Promise<boolean> {
  const { rows } = await sql<{ is_paused: boolean }>`
    select paused_until > clock_timestamp() as is_paused from integration_budgets
     where integration_id = ${integrationId}`.execute(db)
  return rows[0]?.is_paused ?? false
}

export async function pauseCredential(
  db: Db,
  { integrationId, accountId }: Credential,
  pauseMs: number,
): Promise<void> {
  await sql`
    insert into integration_budgets as b (integration_id, account_id, paused_until)
    values (${integrationId}, ${accountId}, now() + ${pauseMs} * interval '1 millisecond')
    on conflict (integration_id) do update set paused_until = greatest(b.paused_until, excluded.paused_until)
  `.execute(db)
}
