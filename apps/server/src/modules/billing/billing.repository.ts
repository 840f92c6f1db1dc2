import type { AccountTypeName } from '@trellis/contract/billing/plans'
import type { AnyDb, Db } from '@trellis/control-db/database'
import { platformTables } from '@trellis/control-db/database'
import { sql } from 'kysely'

export interface BillingAccount {
  id: number
  trellis_code: string
  name: string
  account_type: AccountTypeName
  stripe_customer_id: string | null
  stripe_subscription_id: string | null
  stripe_plan_end_date: Date | null
  stripe_plan_renewal_date: Date | null
  stripe_plan_cancelled_at: Date | null
  plan_status: 'active' | 'past_due' | 'cancelling' | 'over'
  next_plan: 'basic' | 'team' | null
}

type WithDb = { readonly db: AnyDb }

const columns = [
  'id',
  'trellis_code',
  'name',
  'account_type',
  'stripe_customer_id',
  'stripe_subscription_id',
  'stripe_plan_end_date',
  'stripe_plan_renewal_date',
  'stripe_plan_cancelled_at',
  'plan_status',
  'next_plan',
] as const

export async function findBillingAccount(ctx: WithDb, id: number): Promise<BillingAccount | undefined> {
  return await platformTables(ctx).selectFrom('accounts').select(columns).where('id', '=', id).executeTakeFirst()
}

/** Undefined for a deleted account, even if it can be restored. */
export async function findLivingPlan(ctx: WithDb, id: number) {
  return await platformTables(ctx)
    .selectFrom('accounts')
    .select(['account_type', 'stripe_plan_end_date'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function findAccountOfCustomer(ctx: WithDb, customerId: string): Promise<BillingAccount | undefined> {
  return await platformTables(ctx)
    .selectFrom('accounts')
    .select(columns)
    .where('stripe_customer_id', '=', customerId)
    .executeTakeFirst()
}

/** The first writer wins; returns the account's customer. */
export async function saveCustomerIdOnce(ctx: WithDb, accountId: number, customerId: string): Promise<string> {
  const row = await platformTables(ctx)
    .updateTable('accounts')
    .set({ stripe_customer_id: sql<string>`coalesce(stripe_customer_id, ${customerId})` })
    .where('id', '=', accountId)
    .returning('stripe_customer_id')
    .executeTakeFirstOrThrow()
  return row.stripe_customer_id ?? customerId
}

export type PlanState = Pick<
  BillingAccount,
  | 'account_type'
  | 'stripe_subscription_id'
  | 'stripe_plan_end_date'
  | 'stripe_plan_renewal_date'
  | 'stripe_plan_cancelled_at'
  | 'plan_status'
  | 'next_plan'
>

export async function writePlanState(ctx: WithDb, accountId: number, state: PlanState): Promise<void> {
  await platformTables(ctx)
    .updateTable('accounts')
    .set({
      ...state,
      ...(state.plan_status !== 'over' && { removal_notice_at: null }),
      updated_at: sql`now()`,
    })
    .where('id', '=', accountId)
    .execute()
}

/** Until the end of the transaction: serialises reading a customer at the provider and saving the result. */
export async function lockCustomer({ db }: WithDb, customerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`billing:${customerId}`}, 0))`.execute(db)
}

export async function findTemporary({ db }: { readonly db: Db }, id: number) {
  return await db
    .selectFrom('temporary_accounts')
    .select(['id', 'name', 'created_by', 'account_id', 'stripe_customer_id'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function saveTemporaryCustomerIdOnce(
  { db }: { readonly db: Db },
  id: number,
  customerId: string,
): Promise<string> {
  const row = await db
    .updateTable('temporary_accounts')
    .set({ stripe_customer_id: sql<string>`coalesce(stripe_customer_id, ${customerId})` })
    .where('id', '=', id)
    .returning('stripe_customer_id')
    .executeTakeFirstOrThrow()
  return row.stripe_customer_id ?? customerId
}

export async function listCustomers({ db }: { readonly db: Db }): Promise<string[]> {
  const rows = await db
    .selectFrom('accounts')
    .select('stripe_customer_id')
    .where('stripe_customer_id', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.flatMap((row) => row.stripe_customer_id ?? [])
}

export async function listPayers({ db }: { readonly db: Db }) {
  return await db
    .selectFrom('accounts')
    .select(['id', 'account_type', 'stripe_plan_end_date'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}
