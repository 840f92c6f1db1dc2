import { AccountCreate } from '@trellis/contract/accounts/accounts.schemas'
import * as z from 'zod/mini'
import { ApiError } from '../../../api/api-error.ts'

export type Activation =
  | { kind: 'await'; accountCode: string }
  | { kind: 'create'; body: z.infer<typeof AccountCreate> }
  | { kind: 'canceled' }
  | { kind: 'wrong' }

/** New accounts have a number, existing ones a 12-character code. */
const NUMBER = /^\d{1,10}$/
const ACCOUNT_CODE = /^[a-z0-9-]{11,40}$/

/** From the provider's redirect. Untrusted: the server asks the provider. */
export function readActivation(temporaryId: string | undefined, query: URLSearchParams): Activation {
  if (isCanceledStatus(query)) return { kind: 'canceled' }
  if (ACCOUNT_CODE.test(temporaryId ?? '')) return { kind: 'await', accountCode: temporaryId ?? '' }
  const id = NUMBER.test(temporaryId ?? '') ? Number(temporaryId) : undefined
  const parsed = z.safeParse(AccountCreate, { temporary_account_id: id, account_type: query.get('account_type') })
  return parsed.success ? { kind: 'create', body: parsed.data } : { kind: 'wrong' }
}

export function isCanceledStatus(query: URLSearchParams): boolean {
  return query.get('status') === 'canceled'
}

/** About half a minute in all. */
export const MAX_RETRIES = 9
const MAX_WAIT_MS = 5000

/** The provider may confirm a payment a moment after the redirect. */
export function isWorthRepeating(repeats: number, error: Error): boolean {
  if (repeats >= MAX_RETRIES || !(error instanceof ApiError)) return false
  return error.code === 'plan_not_paid' || error.status === 0 || error.status === 429 || error.status >= 500
}

export function waitBefore(repeat: number): number {
  return Math.min(MAX_WAIT_MS, 500 * 2 ** repeat)
}

export const CANCELED_TEXT = 'You left the checkout before the plan was paid. Nothing was charged.'
