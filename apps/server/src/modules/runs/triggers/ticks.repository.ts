import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: Db }

/** Excludes paused dataflows and blocks that cannot be planned, which would otherwise come first forever. */
export async function findUnplanned({ db }: WithDb, until: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select b.id from task_blocks b join dataflows f on f.id = b.dataflow_id
      join workspaces w on w.id = b.workspace_id join accounts a on a.id = b.account_id
     where b.live_version is not null and b.deleted_at is null and (b.ticks_until is null or b.ticks_until < ${until})
       and f.deleted_at is null and not f.is_paused
       and w.deleted_at is null and w.state = 'online' and a.deleted_at is null
     order by b.ticks_until nulls first limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface NewTick {
  block_id: number
  account_id: number
  block_version: number
  action_id: string
  nominal_at: Date
}

/** Idempotent: one row per due time and version. */
export async function insertTicks(
  { db }: WithDb,
  ticks: readonly NewTick[],
  plannedUntil: readonly { id: number; until: Date }[],
): Promise<void> {
  await sql`
    with made as (
      insert into schedule_ticks (block_id, account_id, block_version, action_id, nominal_at)
      select * from jsonb_to_recordset(${JSON.stringify(ticks)}::jsonb)
          as t(block_id bigint, account_id bigint, block_version int, action_id text, nominal_at timestamptz)
      on conflict do nothing)
    update task_blocks b set ticks_until = p.until
      from jsonb_to_recordset(${JSON.stringify(plannedUntil)}::jsonb) as p(id bigint, until timestamptz)
     where b.id = p.id`.execute(db)
}

export async function findPlannedBeyond(
  { db }: WithDb,
  beyond: Date,
  page: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from task_blocks
     where live_version is not null and deleted_at is null and ticks_until > ${beyond} and id > ${page.after}
     order by id limit ${page.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findFirstTicks({ db }: WithDb, blockIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ block_id: number; at: Date }>`
    select t.block_id, min(t.nominal_at) as at from schedule_ticks t
      join task_blocks b on b.id = t.block_id and b.live_version = t.block_version
     where t.block_id = any(${blockIds}::bigint[]) and t.outcome is null group by t.block_id`.execute(db)
  return new Map(rows.map(({ block_id, at }) => [block_id, at.getTime()]))
}

export async function deleteTicksAfter(
  { db }: WithDb,
  blockIds: readonly number[],
  { after, until }: { after: Date; until: Date },
): Promise<void> {
  await sql`
    with gone as (
      delete from schedule_ticks where block_id = any(${blockIds}::bigint[]) and nominal_at > ${after})
    update task_blocks set ticks_until = ${until} where id = any(${blockIds}::bigint[])`.execute(db)
}

export interface DueBlock {
  block_id: number
  account_id: number
}

export async function findDueBlocks({ db }: WithDb, now: Date, limit: number): Promise<DueBlock[]> {
  const { rows } = await sql<DueBlock>`
    select block_id, min(account_id) as account_id from
           (select block_id, account_id, nominal_at from schedule_ticks where outcome is null and nominal_at <= ${now}
             order by nominal_at limit 5000) as due
     group by block_id order by min(nominal_at) limit ${limit}`.execute(db)
  return rows
}

export interface DueTick {
  id: number
  block_id: number
  block_version: number
  action_id: string
  nominal_at: Date
}

/** SKIP LOCKED: a publish in progress settles its own ticks. */
export async function lockDueTicks({ db }: WithDb, blockIds: readonly number[], now: Date): Promise<DueTick[]> {
  const { rows } = await sql<DueTick>`
    select id, block_id, block_version, action_id, nominal_at from schedule_ticks
     where block_id = any(${blockIds}::bigint[]) and outcome is null and nominal_at <= ${now}
     order by nominal_at for update skip locked`.execute(db)
  return rows
}

export async function findNextTick({ db }: WithDb, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(nominal_at) as at from schedule_ticks where outcome is null and nominal_at > ${now}`.execute(db)
  return rows[0]?.at ?? undefined
}

export async function readDatabaseTime({ db }: WithDb): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db)
  return rows[0]?.at
}
