import { CreditsAmount } from '@trellis/contract/billing/billing.schemas'
import { CREDITS_STEP, DOLLARS_PER_CREDIT } from '@trellis/contract/billing/plans'
import * as z from 'zod/mini'
import { formatDollars } from '../../../ui/data/dollars.ts'

export const PRICE_PER_STEP = `${formatDollars(CREDITS_STEP * DOLLARS_PER_CREDIT)} per ${CREDITS_STEP} credits`

/** Undefined for invalid amounts. Integer arithmetic: 0.025 has no exact binary representation. */
export function formatPrice(amount: string): string | undefined {
  const packs = parsePacks(amount)
  return packs === undefined
    ? undefined
    : formatDollars(Math.round(packs * CREDITS_STEP * DOLLARS_PER_CREDIT * 100) / 100)
}

/** Credits are sold in packs of a hundred. */
export function parsePacks(amount: string): number | undefined {
  const parsed = z.safeParse(CreditsAmount, amount)
  return parsed.success ? Number(parsed.data) / CREDITS_STEP : undefined
}
