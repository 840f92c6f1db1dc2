import * as z from 'zod/mini'
import { AccountCode, Instant } from '../core/shapes.ts'

const InvoiceStatus = z.enum(['open', 'paid', 'draft', 'void', 'uncollectible'])
export const Invoice = z.object({
  id: z.string(),
  status: InvoiceStatus,
  created: Instant,
  invoice_amount: z.number(),
  invoice_url: z.nullable(z.string()),
})
export type Invoice = z.infer<typeof Invoice>

export const InvoicesQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 5),
})

/** Checkout URL per plan; null while usage exceeds the plan's limits. Enterprise has none: it is sold by sales. */
export const PlanLinks = z.object({
  plans: z.object({ basic: z.nullable(z.string()), team: z.nullable(z.string()), enterprise: z.string() }),
})

export const ReturnQuery = z.object({ return_url: z.optional(z.string().check(z.maxLength(2000))) })
export const Link = z.object({ url: z.string() })

export const PlanLinkQuery = z.object({
  plan: z.enum(['basic', 'team']),
  return_url: z.optional(z.string().check(z.maxLength(2000))),
})

export const CreditsQuery = z.object({
  quantity: z.coerce
    .number()
    .check(
      z.int('Must be a number'),
      z.minimum(1, 'Must be a positive number'),
      z.maximum(999, 'Maximum amount is 99,900'),
    ),
  redirect_url: z.string().check(z.maxLength(2000)),
})

export const CreditsAmount = z.string({ error: 'Field required' }).check(
  z.trim(),
  z.minLength(1, { error: 'Field required', abort: true }),
  z.refine((text) => /^-?\d+(\.\d+)?$/.test(text), { error: 'Must be a number', abort: true }),
  z.refine((text) => Number(text) > 0, { error: 'Must be a positive number', abort: true }),
  z.refine((text) => Number(text) <= 99_900, { error: 'Maximum amount is 99,900', abort: true }),
  z.refine((text) => Number(text) % 100 === 0, { error: 'Must be a multiple of 100' }),
)

export const PaymentDetails = z.object({
  is_plan_managed: z.boolean(),
  card: z.nullable(z.object({ brand: z.string(), last4: z.string(), exp_month: z.int(), exp_year: z.int() })),
  billing_email: z.nullable(z.string()),
})

export const PlanDetails = z.object({
  account_type: z.string(),
  is_plan_managed: z.boolean(),
  status: z.enum(['active', 'past_due', 'cancelling', 'over', 'unmanaged']),
  stripe_plan_end_date: z.nullable(Instant),
  stripe_plan_renewal_date: z.nullable(Instant),
  stripe_plan_cancelled_at: z.nullable(Instant),
  next_plan: z.nullable(z.enum(['basic', 'team'])),
  days_left: z.nullable(z.int()),
})

export const PlanEnd = z.object({ stripe_plan_end_date: z.nullable(Instant), days_left: z.nullable(z.int()) })

export const Usage = z.object({
  users: z.int(),
  users_limit: z.nullable(z.int()),
  workspaces: z.int(),
  workspaces_limit: z.nullable(z.int()),
  trellis_current_month_ai_tokens_available: z.int(),
  trellis_current_month_ai_tokens_remaining: z.int(),
  trellis_purchased_ai_tokens_available: z.int(),
  trellis_purchased_ai_tokens_remaining: z.int(),
  trellis_free_ai_tokens_available: z.int(),
  trellis_free_ai_tokens_remaining: z.int(),
  trellis_managed_database_storage_available: z.nullable(z.int()),
  trellis_managed_database_storage_used: z.int(),
  credits_renew_at: Instant,
})
export type Usage = z.infer<typeof Usage>

export const AccountLimits = z.object({
  account_trellis_code: AccountCode,
  workspaces: z.int(),
  workspaces_limit: z.nullable(z.int()),
})
