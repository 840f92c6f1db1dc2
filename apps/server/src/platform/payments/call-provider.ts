import Stripe from 'stripe'
import { AppError } from '../app-error.ts'
import type { Logger } from '../logger.ts'
import type { Payments } from './payments.ts'

interface AskingCtx {
  readonly log: Logger
  readonly ports: { readonly payments: Payments }
}

/** Provider errors become AppErrors, never internal errors. */
export async function callProvider<T>(ctx: AskingCtx, ask: (stripe: Stripe) => Promise<T>): Promise<T> {
  try {
    return await ask(await ctx.ports.payments.client())
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, requestId } = error
    ctx.log.warn(
      { type, code, providerRequest: requestId, reason: error.message },
      'The payment provider did not answer as expected.',
    )
    throw new AppError('payments_unavailable', 'The payment provider could not be asked. Try again in a moment.', {
      cause: error,
    })
  }
}
