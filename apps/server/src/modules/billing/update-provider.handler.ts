import { transaction } from '@trellis/control-db/database'
import { GiveUp } from '@trellis/jobs/attempt'
import { enqueue } from '@trellis/jobs/enqueue'
import Stripe from 'stripe'
import type { SystemCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { updateProvider } from './billing.jobs.ts'
import { lockCustomer } from './billing.repository.ts'
import { resumeRenewal, stopRenewal } from './deleted-account.service.ts'
import { clearUpdateDue, findUpdate, listOverdueUpdates } from './provider-updates.repository.ts'
import { syncCustomer } from './sync-customer.ts'

const OVERDUE_MINUTES = 10

/** Reads the account again, so jobs may be late, duplicated or reordered. */
export async function handleUpdateProvider(ctx: SystemCtx, payload: { account_id: number }): Promise<void> {
  const customer = await transaction(ctx, async (ctx) => {
    const knownProviderUpdate = await findUpdate(ctx, payload.account_id)
    if (knownProviderUpdate?.stripe_customer_id) await lockCustomer(ctx, knownProviderUpdate.stripe_customer_id)
    const account = await findUpdate(ctx, payload.account_id)
    if (!account?.due) return null
    const { stripe_customer_id: id, name, deleted_at } = account
    if (id !== null) {
      await callProvider(ctx, async (stripe) => {
        await stripe.customers.update(id, { name })
        await (deleted_at === null ? resumeRenewal(stripe, id) : stopRenewal(stripe, id))
      })
    }
    await clearUpdateDue(ctx, account)
    return id
  }).catch(async (error: unknown) => {
    if (!isRefusedForGood(error)) throw error
    const refusedProviderUpdate = await findUpdate(ctx, payload.account_id)
    if (refusedProviderUpdate) await clearUpdateDue(ctx, refusedProviderUpdate)
    throw new GiveUp(`The payment provider refuses the update of account ${payload.account_id}.`, { cause: error })
  })
  if (customer !== null) await syncCustomer(ctx, customer)
}

/** E.g. a deleted customer. Rate limits and a wrong key are transient. */
function isRefusedForGood(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return cause instanceof Stripe.errors.StripeInvalidRequestError
}

export async function handleRetryProviderUpdates(ctx: SystemCtx): Promise<void> {
  for (const account_id of await listOverdueUpdates(ctx, OVERDUE_MINUTES)) {
    await enqueue(ctx, updateProvider, { account_id })
  }
}
